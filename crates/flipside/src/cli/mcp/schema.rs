//! The tools as `tools/list` gives them.

use flipside_core::json::Json;

/// The name of the tool that asks one question.
pub(super) const DECIDE: &str = "decide";
/// The name of the tool that asks cases.
pub(super) const PROBE: &str = "probe";

/// What `initialize` says about when to use what.
pub(super) const INSTRUCTIONS: &str = "Ask a decision model with `decide`, which asks it again with the options in other orders and says \
whether the choice is `stable`. Give `options` as an array: hosts move integer-like keys of an object. `probe` measures many cases at once.";

/// Input is that of the wire page, 16; output has `orders` and `warnings` beside what is there.
const DECIDE_TOOL: &str = r#"{"name":"decide","title":"Decide and check the order",
"description":"Asks a decision model one question and asks it again with the options in other orders. `choice`, `probabilities` and `margin` (largest probability minus second largest) are the answer in the order given; `votes` counts the answers of all orders, each order once; `stable` says whether the order decides: `stable`, `order-sensitive` (the flip came again when both orders were asked once more), `noisy` (it did not, or the same request was answered otherwise) or `not applicable`.",
"inputSchema":{"type":"object","additionalProperties":false,"required":["state","options","rules"],"properties":{
"state":{"type":["object","array","string"]},
"options":{"type":"array","minItems":2,"maxItems":255,"items":{"type":"object","required":["key"],"additionalProperties":false,
"properties":{"key":{"type":"string","minLength":1},"text":{"type":"string"}}}},
"rules":{"type":"string"},"model":{"type":"string"},
"order":{"type":"string","description":"flipside ORDERS; default check"}}},
"outputSchema":{"type":"object","required":["choice","stable","asks"],"properties":{
"choice":{"type":"string"},"stable":{"enum":["stable","order-sensitive","noisy","not applicable"]},
"probabilities":{"type":"array","items":{"type":"object","required":["key","p"],"properties":{"key":{"type":"string"},"p":{"type":"number"}}}},
"margin":{"type":"number"},"votes":{"type":"array","items":{"type":"object","required":["key","n"],"properties":{"key":{"type":"string"},"n":{"type":"integer"}}}},"asks":{"type":"integer"},"ms":{"type":"number"},"model":{"type":"string"},
"orders":{"type":"array","description":"what came of each order: `given`, those of `order`, `same:N` for the given one repeated","items":{"type":"object","required":["order","outcome"],"properties":{
"order":{"type":"string"},"outcome":{"enum":["answered","refused","abstained","unreadable","undecided","failed","unasked"]},"choice":{"type":"string"},"why":{"type":"string"},
"again":{"type":"boolean","description":"asked once more to confirm a flip"}}}},
"warnings":{"type":"array","items":{"type":"string"}}}},
"annotations":{"readOnlyHint":true,"idempotentHint":false,"openWorldHint":true}}"#;

const PROBE_TOOL: &str = r##"{"name":"probe","title":"Probe cases in other orders",
"description":"Asks every case as written and in other orders (and keys, words, ... with `axis`), and says how many answers that flips, with denominators, intervals and a verdict each, and how many are right where cases say what to expect. `cases` is an array of cases, the path of a case file that the server was started with, or `builtin:ticket-router`. Nothing is kept.",
"inputSchema":{"type":"object","additionalProperties":false,"required":["cases"],"properties":{
"cases":{"anyOf":[{"type":"string","minLength":1,"description":"path of a case file that the server was started with, or builtin:NAME"},
{"type":"array","minItems":1,"items":{"type":"object","required":["state","options","rules"],"additionalProperties":false,"properties":{
"id":{"type":"string","minLength":1},
"state":{"type":["object","array","string"]},
"options":{"type":"array","minItems":2,"maxItems":255,"items":{"type":"object","required":["key"],"additionalProperties":false,
"properties":{"key":{"type":"string","minLength":1},"text":{"type":"string"}}}},
"rules":{"type":"string"},
"expect":{"description":"key of the right option, or keys of all that are right","anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"},"minItems":1}]}}}}]},
"model":{"type":"string"},
"order":{"type":"string","description":"flipside ORDERS; default check, unless axis is given"},
"axis":{"type":"string","description":"flipside AXES, such as keys,phrasing"},
"gate":{"type":"string","description":"flipside GATES, such as order<=10%"},
"seed":{"type":"integer","minimum":0,"description":"seed of orders and axes that draw"},
"max_asks":{"type":"integer","minimum":1,"description":"asks that this call may make; never more than the server allows"}}},
"outputSchema":{"type":"object","required":["complete","exit","asks","cases","fit","axes","gates"],"properties":{
"complete":{"type":"boolean"},"stopped":{"type":"string"},"exit":{"enum":[0,1,3]},
"asks":{"type":"integer","description":"requests made, those of the canary among them"},"cases":{"type":"integer"},"labelled":{"type":"integer"},"answered":{"type":"integer"},"failed":{"type":"integer"},
"fit":{"$ref":"#/$defs/figure"},
"axes":{"type":"array","items":{"$ref":"#/$defs/figure"}},
"control":{"$ref":"#/$defs/figure"},
"canary":{"type":"object","description":"whether option order reaches the model, asked before the cases; `warning` qualifies the verdicts","required":["order","asks"],"properties":{
"order":{"enum":["arrives","unmoved","sorted","cached","integer-keys","not-known","not-asked"]},
"asks":{"type":"integer"},"why":{"type":"string"},"warning":{"type":"string"}}},
"gates":{"type":"array","items":{"type":"object","required":["subject","limit","verdict","held"],"properties":{
"subject":{"type":"string"},"limit":{"type":"number"},"verdict":{"type":"string"},"held":{"type":"boolean"},"reason":{"type":"string"}}}},
"model":{"type":"string"},"ms":{"type":"number"},"warnings":{"type":"array","items":{"type":"string"}}},
"$defs":{"figure":{"type":"object","required":["count","of","missing","verdict"],"properties":{
"axis":{"type":"string"},"variant":{"type":"string"},
"count":{"type":"integer","description":"flips; for fit, accepted answers"},"of":{"type":"integer"},
"rate":{"type":"number"},"interval":{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2,"description":"two-sided, 95 %"},
"missing":{"type":"integer"},"vacuous":{"type":"integer"},"tie_flips":{"type":"integer"},
"limit":{"type":"number"},"verdict":{"type":"string"},"reason":{"type":"string"}}}}},
"annotations":{"readOnlyHint":true,"idempotentHint":false,"openWorldHint":true}}"##;

/// The tools.
pub(super) fn tools() -> Vec<Json> {
    let read = |tool| flipside_formats::json::parse(tool).expect("the tools are JSON");
    [DECIDE_TOOL, PROBE_TOOL].map(read).to_vec()
}
