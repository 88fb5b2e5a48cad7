//! Parts that many cases have in common, held once.
//!
//! A file of 100,000 decisions lists the same few options, fields and questions over and over; a [`Pool`] makes equal parts one.
//! Reading goes through `Deref`; writing makes a part one's own first.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A list that may be held by several cases at once. It is as large as a pointer, and an empty one holds nothing.
pub struct List<T>(Option<Arc<Vec<T>>>);

/// A value that may be held by several cases at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared<T>(Arc<T>);

impl<T: 'static> List<T> {
    const EMPTY: &'static Vec<T> = &Vec::new();

    /// An empty list.
    pub const fn new() -> Self {
        Self(None)
    }

    /// The list as its own vector, copied only where others hold it too.
    pub fn into_vec(self) -> Vec<T>
    where
        T: Clone,
    {
        self.0.map(Arc::unwrap_or_clone).unwrap_or_default()
    }

    fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: 'static> Deref for List<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        self.0.as_deref().unwrap_or(Self::EMPTY)
    }
}

/// Writing to a list that others hold writes to a copy of it.
impl<T: Clone + 'static> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(list: Vec<T>) -> Self {
        Self((!list.is_empty()).then(|| Arc::new(list)))
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Vec::from_iter(items).into()
    }
}

impl<'a, T: 'static> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T: Clone + 'static> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T: Clone + 'static> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

impl<T: PartialEq + 'static> PartialEq for List<T> {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || **self == **other
    }
}

impl<T: Eq + 'static> Eq for List<T> {}

impl<T: PartialEq + 'static> PartialEq<Vec<T>> for List<T> {
    fn eq(&self, other: &Vec<T>) -> bool {
        **self == *other
    }
}

impl<T: PartialEq<U> + 'static, U, const N: usize> PartialEq<[U; N]> for List<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        **self == *other
    }
}

impl<T: fmt::Debug + 'static> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: serde::Serialize + 'static> serde::Serialize for List<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

/// It is written as an array.
impl<T: schemars::JsonSchema> schemars::JsonSchema for List<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}

impl<'de, T: serde::Deserialize<'de>> serde::Deserialize<'de> for List<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

impl<T> From<T> for Shared<T> {
    fn from(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: fmt::Display> fmt::Display for Shared<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Writing to a value that others hold writes to a copy of it.
impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}

/// A value that most have none of: as large as a pointer, and nothing where it is the default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rare<T>(Option<Box<T>>);

/// A type whose default is known beforehand.
pub trait Plain: PartialEq + 'static {
    /// The default.
    const PLAIN: &'static Self;
}

impl<T: Plain> Rare<T> {
    /// Whether it is the default.
    pub fn is_plain(&self) -> bool {
        self.0.is_none()
    }
}

impl<T: Plain> Deref for Rare<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::PLAIN)
    }
}

impl<T: Plain> From<T> for Rare<T> {
    fn from(value: T) -> Self {
        Self((value != *T::PLAIN).then(|| Box::new(value)))
    }
}

impl<T: serde::Serialize + Plain> serde::Serialize for Rare<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: serde::Deserialize<'de> + Plain> serde::Deserialize<'de> for Rare<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Self::from)
    }
}

/// The parts that were met last, so that an equal one is held once.
#[derive(Debug)]
pub struct Pool<T>(Vec<T>, usize);

/// How many parts a pool remembers. Files have their decisions in runs of the same kind.
const REMEMBERED: usize = 16;

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Self(Vec::new(), 0)
    }
}

impl<T: Clone + PartialEq> Pool<T> {
    /// Makes `part` the remembered one that equals it, if there is one, and remembers it otherwise.
    pub fn share(&mut self, part: &mut T) {
        let Self(known, next) = self;
        if let Some(equal) = known.iter().rev().find(|known| *known == part) {
            part.clone_from(equal);
        } else if known.len() < REMEMBERED {
            known.push(part.clone());
        } else {
            known[*next].clone_from(part);
            *next = (*next + 1) % REMEMBERED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_a_pointer_and_an_empty_one_holds_nothing() {
        assert_eq!(size_of::<List<String>>(), size_of::<usize>());
        assert!(List::<u8>::from(Vec::new()).0.is_none());
        assert_eq!(List::<u8>::new(), Vec::new());
    }

    #[test]
    fn writing_to_a_shared_part_leaves_the_others_as_they_are() {
        let mut one: List<u8> = vec![1, 2].into();
        let other = one.clone();
        one.push(3);
        assert_eq!((one, other), (vec![1, 2, 3].into(), vec![1, 2].into()));
        let mut one = Shared::from("a".to_owned());
        let other = one.clone();
        one.push('b');
        assert_eq!((one.as_str(), other.as_str()), ("ab", "a"));
    }

    #[test]
    fn equal_parts_of_a_pool_are_one_and_it_forgets_the_oldest() {
        let mut pool = Pool::default();
        let list = |first: usize| List::from(vec![first]);
        let (mut one, mut two) = (list(7), list(7));
        pool.share(&mut one);
        pool.share(&mut two);
        assert!(one.is_same(&two));
        for other in 100..100 + REMEMBERED {
            pool.share(&mut list(other));
        }
        let mut three = list(7);
        pool.share(&mut three);
        assert!(!one.is_same(&three));
        assert_eq!(one, three);
    }
}
