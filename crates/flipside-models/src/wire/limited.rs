//! A protocol at a backend whose limits are known.

use flipside_core::answer::Answer;
use flipside_core::case::Case;
use flipside_core::model::{Failure, Rejection, Reply, Unsupported, Wire};
use flipside_core::perturb::Axis;
use flipside_core::plan::VacuousReason;
use flipside_core::present::Presentation;

use super::{Limits, Protocol};

/// Asks by `protocol` only what `limits` allow; nothing else differs, neither bytes nor records.
#[derive(Debug)]
pub(crate) struct Limited<P> {
    pub(crate) protocol: P,
    pub(crate) limits: Limits,
}

impl<P: Protocol> Protocol for Limited<P> {
    fn wire(&self) -> Wire {
        self.protocol.wire()
    }

    fn request(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
    ) -> Result<Vec<u8>, Unsupported> {
        self.limits.check(shown)?;
        let request = self.protocol.request(shown, model)?;
        self.limits.bytes(&request)?;
        Ok(request)
    }

    fn read(&self, shown: &Presentation<'_>, reply: &Reply) -> Result<Answer, Rejection> {
        self.protocol.read(shown, reply)
    }

    fn object_order(&self) -> bool {
        self.protocol.object_order()
    }

    fn unread(&self, axis: Axis, case: &Case) -> Option<VacuousReason> {
        self.protocol.unread(axis, case)
    }

    fn other_carrier(&self) -> Option<Box<dyn Protocol>> {
        self.protocol.other_carrier()
    }

    fn whole_replies(&self) -> bool {
        self.protocol.whole_replies()
    }

    fn deeper(
        &self,
        shown: &Presentation<'_>,
        model: Option<&str>,
        reply: &Reply,
    ) -> Option<Vec<u8>> {
        self.protocol.deeper(shown, model, reply)
    }

    fn goes_deeper(&self) -> bool {
        self.protocol.goes_deeper()
    }

    fn failure(&self, failure: Failure) -> Failure {
        self.protocol.failure(failure)
    }

    fn reply_id(&self, body: &str) -> Option<String> {
        self.protocol.reply_id(body)
    }
}

#[cfg(test)]
mod tests {
    use flipside_core::model::Failure;

    use super::*;
    use crate::wire::openai_decisions::OpenAiDecisions;

    #[test]
    fn what_the_protocol_knows_of_a_failure_is_passed_on() {
        let limited = Limited {
            protocol: OpenAiDecisions,
            limits: Limits::JEV,
        };
        let conflict = Failure::Status {
            status: 409,
            message: String::new(),
            retry_after: None,
            should_retry: None,
        };
        match limited.failure(conflict) {
            Failure::Status { should_retry, .. } => assert_eq!(should_retry, Some(true)),
            other => panic!("{other:?}"),
        }
    }
}
