//! Refuses numbers that JSON cannot write; `serde_json` would print `null` for them without a word.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{self, Serialize, Serializer};

/// A number that is not finite, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct NotFinite(String);

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotFinite {}

impl ser::Error for NotFinite {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// Walks `value` as a serializer would.
///
/// # Errors
/// [`NotFinite`] at the first number that is not finite.
pub(crate) fn check<T: Serialize>(value: &T) -> Result<(), NotFinite> {
    value.serialize(&mut Walk { path: Vec::new() })
}

/// Where the walk is. Names are put together only when there is something to say.
struct Walk {
    path: Vec<Step>,
}

/// One step of a path.
enum Step {
    Member(Cow<'static, str>),
    Item(usize),
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Member(name) => f.write_str(name),
            Self::Item(place) => write!(f, "{place}"),
        }
    }
}

/// The items of a list, numbered.
struct Items<'a> {
    walk: &'a mut Walk,
    next: usize,
}

impl Walk {
    fn enter<T: Serialize + ?Sized>(&mut self, step: Step, value: &T) -> Result<(), NotFinite> {
        self.path.push(step);
        value.serialize(&mut *self)?;
        self.path.pop();
        Ok(())
    }
}

impl Items<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        let place = self.next;
        self.next += 1;
        self.walk.enter(Step::Item(place), value)
    }
}

macro_rules! harmless {
    ($($method:ident($kind:ty)),* $(,)?) => {
        $(fn $method(self, _: $kind) -> Result<(), NotFinite> { Ok(()) })*
    };
}

impl<'a> Serializer for &'a mut Walk {
    type Ok = ();
    type Error = NotFinite;
    type SerializeSeq = Items<'a>;
    type SerializeTuple = Items<'a>;
    type SerializeTupleStruct = Items<'a>;
    type SerializeTupleVariant = Items<'a>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    harmless! {
        serialize_bool(bool), serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64),
        serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64), serialize_char(char),
        serialize_str(&str), serialize_bytes(&[u8]), serialize_unit_struct(&'static str),
    }

    fn serialize_f32(self, value: f32) -> Result<(), NotFinite> {
        self.serialize_f64(f64::from(value))
    }

    fn serialize_f64(self, value: f64) -> Result<(), NotFinite> {
        if value.is_finite() {
            Ok(())
        } else {
            let path: Vec<String> = self.path.iter().map(Step::to_string).collect();
            Err(NotFinite(format!("`{}` is {value}", path.join("."))))
        }
    }

    fn serialize_none(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<(), NotFinite> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), NotFinite> {
        self.enter(Step::Member(variant.into()), value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'a>, NotFinite> {
        Ok(Items {
            walk: self,
            next: 0,
        })
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'a>, NotFinite> {
        Ok(Items {
            walk: self,
            next: 0,
        })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'a>, NotFinite> {
        Ok(Items {
            walk: self,
            next: 0,
        })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Items<'a>, NotFinite> {
        Ok(Items {
            walk: self,
            next: 0,
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, NotFinite> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, NotFinite> {
        Ok(self)
    }
}

macro_rules! items {
    ($($collection:ident::$method:ident),*) => {$(
        impl ser::$collection for Items<'_> {
            type Ok = ();
            type Error = NotFinite;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
                self.item(value)
            }

            fn end(self) -> Result<(), NotFinite> {
                Ok(())
            }
        }
    )*};
}

items!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! members {
    ($($collection:ident),*) => {$(
        impl ser::$collection for &mut Walk {
            type Ok = ();
            type Error = NotFinite;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), NotFinite> {
                self.enter(Step::Member(name.into()), value)
            }

            fn end(self) -> Result<(), NotFinite> {
                Ok(())
            }
        }
    )*};
}

members!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for &mut Walk {
    type Ok = ();
    type Error = NotFinite;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), NotFinite> {
        // The key as JSON writes it, without its quotes.
        let name = serde_json::to_string(key).map_err(ser::Error::custom)?;
        self.path
            .push(Step::Member(name.trim_matches('"').to_owned().into()));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), NotFinite> {
        value.serialize(&mut **self)?;
        self.path.pop();
        Ok(())
    }

    fn end(self) -> Result<(), NotFinite> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Serialize;

    use super::*;

    #[derive(Serialize)]
    struct Inner {
        pair: [f64; 2],
    }

    #[derive(Serialize)]
    enum Kind {
        Bare,
        Held(f64),
        Named { value: f64 },
        Both(u8, f64),
    }

    #[derive(Serialize)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
        maybe: Option<f64>,
        named: BTreeMap<String, Vec<f64>>,
        kinds: Vec<Kind>,
    }

    fn outer() -> Outer {
        Outer {
            inner: Inner { pair: [0.0, 1.0] },
            maybe: None,
            named: BTreeMap::from([("a".to_owned(), vec![0.5, 0.25])]),
            kinds: vec![
                Kind::Bare,
                Kind::Held(1.0),
                Kind::Named { value: 2.0 },
                Kind::Both(1, 3.0),
            ],
        }
    }

    fn found(change: impl FnOnce(&mut Outer)) -> String {
        let mut value = outer();
        change(&mut value);
        check(&value).map_or_else(|error| error.to_string(), |()| "finite".to_owned())
    }

    #[test]
    fn a_number_that_is_not_finite_is_found_wherever_it_hides() {
        assert_eq!(found(|_| ()), "finite");
        assert_eq!(
            found(|value| value.inner.pair[1] = f64::NAN),
            "`pair.1` is NaN"
        );
        assert_eq!(
            found(|value| value.maybe = Some(f64::INFINITY)),
            "`maybe` is inf"
        );
        assert_eq!(
            found(|value| value.named.get_mut("a").unwrap()[1] = f64::NEG_INFINITY),
            "`named.a.1` is -inf"
        );
        assert_eq!(
            found(|value| value.kinds[1] = Kind::Held(f64::NAN)),
            "`kinds.1.Held` is NaN"
        );
        assert_eq!(
            found(|value| value.kinds[2] = Kind::Named { value: f64::NAN }),
            "`kinds.2.value` is NaN"
        );
        assert_eq!(
            found(|value| value.kinds[3] = Kind::Both(1, f64::NAN)),
            "`kinds.3.1` is NaN"
        );
    }
}
