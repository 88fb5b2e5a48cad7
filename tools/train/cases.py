"""Cases to train on: drawn from the grammar, from Banking77's training rows and from neighbouring words.

A case is a dictionary: `type` (choice, score, noul), `state` (a JSON value), `ask` (the question), `options` (pairs of key and
text; the text may be None), `gold` (an index into them; for noul 0 is false and 1 is true) and `source`.
"""

import csv
import random

from grammar import Domain, Queue, banking_descriptions, domains, draw

VALIDATION_DOMAINS = {"insurance", "chat", "streaming", "city"}
STATUSES = [
    "shipped",
    "delivered",
    "processing",
    "paid",
    "cancelled",
    "returned",
    "pending",
    "completed",
    "unknown",
    "open",
]
HEX = "0123456789abcdef"
PERSON_KEYS = ["human", "person", "other", "agent", "general", "unclear"]
RULES = [
    "Background that is solved, quoted or imagined does not count.",
    "Look at what is asked now, not at single words.",
    "A wish for a person wins over everything else.",
    "The status of the order is only context.",
    "Two separate requests belong to a person.",
    "When the text says what it is not about, believe it.",
    "Money that shall be given back counts as a return, even after a wrong charge.",
    "Take exactly one.",
    "If nothing fits, a person decides.",
]


def banking_rows(path) -> list[tuple[str, str]]:
    """(text, label) rows of a Banking77 file."""
    with open(path, encoding="utf-8", newline="") as file:
        return [(row["text"].strip(), row["category"]) for row in csv.DictReader(file)]


def label_words(label: str) -> str:
    """The words of a Banking77 label."""
    return label.replace("_", " ")


def nearest_labels(label: str, labels: list[str], count: int, rng: random.Random) -> list[str]:
    """The labels that share most of their words with `label` (Jaccard); equals in the order that `rng` gives."""
    own = set(label_words(label).lower().strip("?").split())

    def shared(other: str) -> float:
        words = set(label_words(other).lower().strip("?").split())
        return len(own & words) / len(own | words)

    others = sorted(other for other in labels if other != label)
    rng.shuffle(others)
    return sorted(others, key=shared, reverse=True)[:count]


class Source:
    """Draws cases; `split` is `train` or `valid`, which see different lines, different rows and different domains."""

    def __init__(self, banking: list[tuple[str, str]], words: list[str], near, close, split: str):
        self.split = split
        everything = [self.own_lines(domain) for domain in domains()]
        self.levels = [domain for domain in everything if domain.levels]
        queues = [domain for domain in everything if domain.queues]
        self.shop = queues[0]
        self.person = next(queue for queue in self.shop.queues if queue.special)
        self.seen = [domain for domain in queues if domain.name not in VALIDATION_DOMAINS]
        self.unseen = [domain for domain in queues if domain.name in VALIDATION_DOMAINS]
        self.descriptions = banking_descriptions()
        self.labels = sorted(self.descriptions)
        place = [i % 10 == 9 for i in range(len(banking))]
        self.banking = [row for row, held in zip(banking, place) if held == (split == "valid")]
        self.by_label = {
            label: [text for text, other in self.banking if other == label] for label in self.labels
        }
        self.words, self.near, self.close = words, near, close
        self.content = [
            i
            for i, word in enumerate(words)
            if word.isalpha() and len(word) > 3 and close[i][0] > 0.5
        ]

    def own_lines(self, domain: Domain) -> Domain:
        """The domain with the lines of this split: every seventh line of a list of four or more is for validation."""

        def own(lines: list[str]) -> list[str]:
            if len(lines) < 4:
                return lines
            return [line for i, line in enumerate(lines) if (i % 7 == 3) == (self.split == "valid")]

        for queue in domain.queues:
            queue.lines = {kind: own(lines) for kind, lines in queue.lines.items()}
        domain.says = [own(lines) for lines in domain.says]
        return domain

    # ---- sentences -------------------------------------------------------------------------------------------------

    def issue(self, queue: Queue, rng: random.Random, kinds=("say", "want")) -> str:
        lines = [line for kind in kinds for line in queue.lines.get(kind, [])]
        if not lines:
            lines = [line for kind in ("say", "want") for line in queue.lines.get(kind, [])]
        return draw(rng.choice(lines), rng)

    def request(self, queue: Queue, rng: random.Random) -> str:
        if queue.topics and rng.random() < 0.35:
            topic = rng.choice(queue.topics)
            form = "{Please|Can you|Could you} {help me with|look into|check|tell me about} TOPIC{.|, please.| for me.}"
            form = rng.choice(
                [
                    form,
                    "{I need|I want} {help with|an answer about|information on} TOPIC.",
                    "{It is|This is|My question is} about TOPIC.",
                ]
            )
            return draw(form.replace("TOPIC", topic), rng)
        return self.issue(queue, rng, ("want",))

    def plain(self, queue: Queue, rng: random.Random) -> str:
        kind = rng.random()
        if kind < 0.35:
            return self.issue(queue, rng)
        if kind < 0.75:
            return self.issue(queue, rng, ("say",)) + " " + self.request(queue, rng)
        if kind < 0.85:
            return self.request(queue, rng)
        return self.issue(queue, rng, ("say",)) + " " + self.issue(queue, rng)

    def background(self, queue: Queue, rng: random.Random) -> str:
        """A sentence on another queue that does not count: negated, solved, quoted or imagined."""
        topic = rng.choice(queue.topics) if queue.topics else queue.keys[0].replace("_", " ")
        kind = rng.choice(["not", "not", "done", "done", "quote", "if"])
        if kind == "not":
            form = rng.choice(
                [
                    "{This|It|My message} {is not|isn't} about TOPIC{.|, that is fine.}",
                    "I {am not|'m not} {asking|writing|complaining} about TOPIC{.| at all.}",
                    "I {do not|don't} {want|need} help with TOPIC{.| any more.| now.}",
                    "{There is nothing wrong with|I have no problem with|No trouble with} TOPIC.",
                    "{Please do not|Do not} {send this to|treat this as a matter of} TOPIC.",
                    "TOPIC {is not the problem|is fine|has nothing to do with it}.",
                ]
            )
        elif kind == "done" and queue.lines.get("done") and rng.random() < 0.6:
            return draw(rng.choice(queue.lines["done"]), rng)
        elif kind == "done":
            form = rng.choice(
                [
                    "{The matter with|My question about|The trouble with} TOPIC {has been solved|is settled|was answered <when>|is closed}.",
                    "<when> I wrote about TOPIC, {that is done|that was fixed|you solved it}.",
                    "{Earlier|Before that|Some time ago} there was {trouble|a problem} with TOPIC, {but it is over|now all is well|which you fixed}.",
                ]
            )
        elif kind == "quote":
            said = self.issue(queue, rng)
            who = rng.choice(
                [
                    "Your {mail|email|letter} says",
                    "The {bot|chatbot} {answered|wrote}",
                    "My {friend|neighbour|brother} {wrote|told me}",
                    "The {banner|help page|form} reads",
                    "An {old|earlier} {message|ticket} said",
                ]
            )
            after = draw(
                "{That is not my case|That does not apply to me|This is only a quote|I only quote it|It is not what I ask}",
                rng,
            )
            return (
                f"{draw(who, rng)[:-1]}: '{said}' {after}"
                if rng.random() < 0.7
                else f"{draw(who, rng)[:-1]}: '{said}'"
            )
        else:
            form = rng.choice(
                [
                    "If {I ever have|there is ever|I had} {a problem|trouble} with TOPIC, I {will|would} write again.",
                    "{Perhaps|Maybe|One day} I will {ask|write} about TOPIC, {but not today|not now}.",
                    "{Suppose|Imagine} it were about TOPIC; {it is not|that is not so}.",
                ]
            )
        return draw(form.replace("TOPIC", topic), rng)

    # ---- cases -----------------------------------------------------------------------------------------------------

    def ticket(self, domain: Domain, rng: random.Random, size: int | None = None) -> dict:
        """A ticket over a domain's queues, with or without a queue for people."""
        queues = [queue for queue in domain.queues if not queue.special]
        core = domain is self.shop and rng.random() < 0.65
        if core:
            queues = queues[:4]
        else:
            size = size or rng.randint(2, 10)
            queues = rng.sample(queues, min(len(queues), size))
        person = core or rng.random() < 0.4
        queue = rng.choice(queues)
        others = [other for other in queues if other is not queue]
        kind = rng.random()
        gold, trait = queue, "plain"
        if person and kind < 0.27:
            gold = self.person
            form = rng.random()
            if form < 0.4:
                trait, ask = "person", draw(rng.choice(self.person.lines["ask_person"]), rng)
                parts = [self.issue(queue, rng), ask] if rng.random() < 0.75 else [ask]
                if rng.random() < 0.3:
                    parts.reverse()
                text = " ".join(parts)
            elif form < 0.75 and others:
                trait = "mixed"
                pairs = [
                    other
                    for other in others
                    if not (
                        domain is self.shop
                        and {queue.keys[0], other.keys[0]} == {"payment", "returns"}
                    )
                ]
                second = (
                    self.request(rng.choice(pairs), rng)
                    if pairs
                    else "And something else entirely."
                )
                joiner = draw(
                    rng.choice(
                        [
                            "Also,",
                            "{Besides|Moreover|In addition},",
                            "And {another thing|a second thing}:",
                            "{Separately|Apart from that},",
                            "I have two {questions|requests}.",
                            "{Both|Two things}, please.",
                        ]
                    ),
                    rng,
                )[:-1]
                first = self.request(queue, rng) if rng.random() < 0.6 else self.plain(queue, rng)
                lower = second[:1].lower() + second[1:] if not second.startswith("I ") else second
                text = (
                    f"{joiner} {first} {second}"
                    if joiner.startswith(("I have", "Both", "Two"))
                    else f"{first} {joiner} {lower}"
                )
            else:
                trait = "vague"
                text = " ".join(
                    draw(line, rng)
                    for line in rng.sample(
                        self.person.lines["vague"],
                        min(len(self.person.lines["vague"]), rng.choice([1, 1, 2])),
                    )
                )
                if others and rng.random() < 0.2:
                    a, b = queue, rng.choice(others)
                    if a.topics and b.topics:
                        text = f"It is not about {rng.choice(a.topics)} and not about {rng.choice(b.topics)}. {text}"
        elif others and kind < 0.62:
            trait = "background"
            parts = [self.background(rng.choice(others), rng), self.plain(queue, rng)]
            if rng.random() < 0.3:
                parts[0] = (
                    draw(
                        "I {do not need|don't need|need no|do not ask for} {a human|a person|an agent|to talk to anybody}{.|, a short answer is enough.}",
                        rng,
                    )
                    if person
                    else parts[0]
                )
            if rng.random() < 0.25:
                parts.reverse()
            elif rng.random() < 0.5:
                parts[1] = (
                    rng.choice(
                        [
                            "Now ",
                            "But ",
                            "Today: ",
                            "What I need: ",
                            "My current request: ",
                            "However, ",
                        ]
                    )
                    + parts[1][:1].lower()
                    + parts[1][1:]
                )
            text = " ".join(parts)
        else:
            text = self.plain(queue, rng)
        text = self.dressed(text, rng)
        shown = queues + ([self.person] if person else [])
        rng.shuffle(shown)
        title = self.title(gold if gold is not self.person else queue, others, trait, rng)
        options = self.options(shown, rng)
        return {
            "type": "choice",
            "state": self.state(text, title, rng),
            "ask": self.ask(domain.asks, options, person, rng),
            "options": options,
            "gold": shown.index(gold),
            "source": f"ticket {domain.name} {trait}",
            "text": text,
            "about": (queue, gold, others, trait),
        }

    def dressed(self, text: str, rng: random.Random) -> str:
        if rng.random() < 0.2:
            text = (
                draw("{Hello|Hi|Dear team|Good morning|Hey|Hi there}", rng)[:-1]
                + ", "
                + text[:1].lower()
                + text[1:]
            )
        if rng.random() < 0.15:
            text += " " + draw(
                "{Thanks|Thank you|Regards|Best wishes|Many thanks in advance|Kind regards, <name>}",
                rng,
            )
        return text if rng.random() < 0.9 else text.lower().rstrip(".")

    def title(self, queue: Queue, others: list[Queue], trait: str, rng: random.Random) -> str:
        if trait == "vague" or rng.random() < 0.25:
            return draw(
                "{Question|Help|Request|My order|Message|Ticket|Please read|Support|Order <num>}",
                rng,
            )[:-1]
        if trait == "mixed":
            return draw("{Two questions|Several things|Some requests|Questions|Two things}", rng)[
                :-1
            ]
        if trait == "background" and others and rng.random() < 0.3:
            queue = rng.choice(others)
        topic = rng.choice(queue.topics) if queue.topics else queue.keys[0].replace("_", " ")
        title = draw(
            rng.choice(
                [
                    "TOPIC",
                    "{About|Question about|Problem with|Help with} TOPIC",
                    "TOPIC {question|update|today}",
                ]
            ).replace("TOPIC", topic),
            rng,
        )
        return title[:-1]

    def state(self, text: str, title: str, rng: random.Random):
        """One of the shapes in which a message may come."""
        kind = rng.random()
        if kind < 0.25:
            return text
        if kind < 0.4:
            return {rng.choice(["message", "text", "body", "content"]): text}
        if kind < 0.5:
            return {
                rng.choice(["title", "subject"]): title,
                rng.choice(["description", "body", "message"]): text,
            }
        if kind < 0.6:
            return {
                "customer": draw("<name>", rng)[:-1],
                "channel": rng.choice(["email", "chat", "web"]),
                "message": text,
            }
        if kind < 0.65:
            return [{"role": "user", "content": text}]
        code = rng.choice(["P", "T-", "t_", "#", ""]) + "".join(
            rng.choice(HEX) for _ in range(rng.choice([3, 5, 8, 12]))
        )
        ticket = {"id": code, "title": title, "description": text}
        if rng.random() < 0.7:
            ticket[rng.choice(["order_status", "order_status", "status"])] = rng.choice(STATUSES)
        return (
            {"ticket": ticket, "progress": {"ticket_id": code}}
            if rng.random() < 0.6
            else {"ticket": ticket}
        )

    def options(self, queues: list[Queue], rng: random.Random) -> list[tuple[str, str | None]]:
        style = rng.random()
        out: list[tuple[str, str | None]] = []
        for place, queue in enumerate(queues):
            keys = PERSON_KEYS[:3] + queue.keys if queue.special else queue.keys
            key = rng.choice(
                [key for key in keys if key not in dict(out)] or [f"{keys[0]}_{place}"]
            )
            text = rng.choice(
                [t for t in queue.descriptions if t not in [o[1] for o in out]]
                or [queue.descriptions[0] + f" ({place})"]
            )
            if style < 0.15:
                text = None
            elif style < 0.27:
                key = [f"option_{place + 1}", "abcdefghijkl"[place], f"q{place}", str(place + 1)][
                    int(style * 100) % 4
                ]
            elif style < 0.37 and queue.topics:
                topics = rng.sample(queue.topics, min(len(queue.topics), rng.randint(1, 3)))
                text = ", ".join(topics)[:1].upper() + ", ".join(topics)[1:]
            out.append((key, text))
        return out

    def ask(
        self,
        asks: list[str],
        options: list[tuple[str, str | None]],
        person: bool,
        rng: random.Random,
    ) -> str:
        ask = rng.choice(asks)
        if rng.random() < 0.22:
            ask += " " + " ".join(f"{key}: {text}." for key, text in options if text)
        if person and rng.random() < 0.4 or rng.random() < 0.05:
            ask += " " + " ".join(rng.sample(RULES, rng.randint(1, 4)))
        return ask

    def bank(self, rng: random.Random, size: int | None = None) -> dict:
        """A Banking77 row with its label among near and far ones."""
        text, label = rng.choice(self.banking)
        size = size or rng.choice([2, 3, 4, 5, 5, 5, 6, 7, 8, 9, 10, 10])
        near = min(size - 1, rng.choice([0, size // 2, size - 1, size - 1]))
        shown = nearest_labels(label, self.labels, near, rng)
        rest = [other for other in self.labels if other != label and other not in shown]
        shown += [label] + rng.sample(rest, size - 1 - near)
        rng.shuffle(shown)
        style = rng.random()
        texts = {
            other: label_words(other)
            if style < 0.6
            else self.descriptions[other]
            if style < 0.85
            else None
            for other in shown
        }
        asks = [
            "What does the customer want?",
            "Which intent does the message have?",
            "Choose the label of this bank message.",
            "Pick the category that fits the customer's message to the bank.",
            "What is the message about?",
        ]
        return {
            "type": "choice",
            "state": {"message": text} if rng.random() < 0.6 else text,
            "ask": rng.choice(asks),
            "options": [(other, texts[other]) for other in shown],
            "gold": shown.index(label),
            "source": "banking",
            "text": text,
        }

    def same(self, rng: random.Random) -> dict:
        """Which text is of the same kind: other sentences as options."""
        size = rng.randint(2, 6)
        if rng.random() < 0.6:
            labels = rng.sample(self.labels, size)
            texts = [rng.sample(self.by_label[label], 2) for label in labels]
        else:
            queues = [
                queue
                for domain in rng.sample(self.seen, min(size, len(self.seen)))
                for queue in [rng.choice([q for q in domain.queues if not q.special])]
            ]
            texts = [[self.plain(queue, rng), self.issue(queue, rng)] for queue in queues]
        gold = rng.randrange(len(texts))
        options = [(str(i + 1), pair[1]) for i, pair in enumerate(texts)]
        if len({text for _, text in options}) < len(options):
            return self.same(rng)
        ask = rng.choice(
            [
                "Which text means the same?",
                "Which sentence is closest?",
                "Pick the text on the same matter.",
            ]
        )
        return {
            "type": "choice",
            "state": texts[gold][0],
            "ask": ask,
            "options": options,
            "gold": gold,
            "source": "same",
            "text": texts[gold][0],
        }

    def word(self, rng: random.Random) -> dict:
        """Which option's words are near to a word of the state, over the whole vocabulary."""
        size = rng.randint(2, 8)
        heads = rng.sample(self.content, size)
        gold = rng.randrange(size)

        def friends(head: int, count: int) -> list[str]:
            near = [int(j) for j, c in zip(self.near[head], self.close[head]) if c > 0.4]
            return [self.words[j] for j in rng.sample(near, min(len(near), count))]

        options = []
        for head in heads:
            around = friends(head, rng.randint(1, 3)) or [self.words[head]]
            if rng.random() < 0.3:
                around.append(self.words[head])
            rng.shuffle(around)
            options.append(
                (
                    (around[0] if rng.random() < 0.5 else str(len(options) + 1)),
                    rng.choice([", ", " ", " and "]).join(around),
                )
            )
        if len(dict(options)) < size or len({text for _, text in options}) < size:
            return self.word(rng)
        said = [self.words[heads[gold]]] + friends(heads[gold], rng.randint(0, 2))
        said += [self.words[i] for i in rng.sample(self.content, rng.randint(0, 3))]
        rng.shuffle(said)
        frame = rng.choice(
            [
                "{}",
                "My message: {}.",
                "There is something with {} here.",
                "I have a question about {}, please.",
                "The {} we talked about.",
            ]
        )
        text = frame.format(" ".join(said))
        ask = rng.choice(
            [
                "Which fits best?",
                "What is it about?",
                "Pick the closest option.",
                "Choose the topic.",
            ]
        )
        return {
            "type": "choice",
            "state": text,
            "ask": ask,
            "options": options,
            "gold": gold,
            "source": "word",
            "text": text,
        }

    def short(self, rng: random.Random) -> dict:
        """The shortest match: one word each, to learn first what an option and a state are."""
        heads = rng.sample(self.content, rng.randint(2, 5))
        gold = rng.randrange(len(heads))
        near = [int(j) for j, c in zip(self.near[heads[gold]], self.close[heads[gold]]) if c > 0.5]
        said = [self.words[rng.choice(near)] if rng.random() < 0.5 else self.words[heads[gold]]]
        said += [self.words[i] for i in rng.sample(self.content, rng.randint(0, 2))]
        rng.shuffle(said)
        options = [(self.words[head], None) for head in heads]
        return {
            "type": "choice",
            "state": " ".join(said),
            "ask": "topic",
            "options": options,
            "gold": gold,
            "source": "short",
            "text": " ".join(said),
        }

    def level(self, rng: random.Random) -> dict:
        """A message to be placed on ordered levels."""
        domain = rng.choice(self.levels)
        gold = rng.randrange(len(domain.levels))
        text = draw(rng.choice(domain.says[gold]), rng)
        if domain.name == "urgency" and rng.random() < 0.6:
            text = (
                self.issue(rng.choice([q for q in self.shop.queues if not q.special]), rng)
                + " "
                + text
            )
        levels = [(str(i), rng.choice(names)) for i, names in enumerate(domain.levels)]
        if rng.random() < 0.3 and len(levels) > 3:
            drop = rng.choice([i for i in range(len(levels)) if i != gold])
            gold -= drop < gold
            levels = [
                (str(i), name)
                for i, (_, name) in enumerate(pair for j, pair in enumerate(levels) if j != drop)
            ]
        return {
            "type": "score",
            "state": self.state(self.dressed(text, rng), "Message", rng),
            "ask": rng.choice(domain.asks),
            "options": levels,
            "gold": gold,
            "source": "level",
            "text": text,
        }

    def statement(self, rng: random.Random) -> dict:
        """A yes/no question on a ticket or a bank message."""
        if rng.random() < 0.3:
            case = self.bank(rng, 4)
            texts = [
                label_words(key) if rng.random() < 0.5 else self.descriptions[key]
                for key, _ in case["options"]
            ]
            true = texts[case["gold"]]
            false = rng.choice([text for i, text in enumerate(texts) if i != case["gold"]])
        else:
            while True:
                case = self.ticket(rng.choice(self.seen + [self.shop] * 6), rng, 5)
                queue, gold, others, trait = case["about"]
                if trait in ("person", "vague") and rng.random() < 0.5:
                    true, false = (
                        "a wish to talk to a person" if trait == "person" else "an unclear message",
                        rng.choice(
                            [
                                "a clear question about " + (queue.topics or ["it"])[0],
                                "nothing at all",
                            ]
                        ),
                    )
                    break
                if trait not in ("vague", "mixed", "person") and others:
                    other = rng.choice(others)
                    true, false = (rng.choice(q.topics or q.descriptions) for q in (queue, other))
                    break
        value = rng.random() < 0.5
        form = rng.choice(
            [
                "Is this message about TOPIC?",
                "The message is about TOPIC.",
                "Does the writer mean TOPIC?",
                "The customer's current request concerns TOPIC.",
                "Is the topic TOPIC?",
            ]
        )
        ask = form.replace("TOPIC", true if value else false)
        return {
            "type": "noul",
            "state": case["state"],
            "ask": ask,
            "options": [("false", None), ("true", None)],
            "gold": int(value),
            "source": "statement",
            "text": case["text"],
        }

    def draw(self, rng: random.Random, shares: dict[str, float]) -> dict:
        """One case of a kind drawn by `shares`: shop, ticket, unseen, bank, long, same, word, level, statement."""
        kind = rng.choices(list(shares), list(shares.values()))[0]
        if kind == "shop":
            return self.ticket(self.shop, rng)
        if kind == "ticket":
            return self.ticket(rng.choice(self.seen), rng)
        if kind == "unseen":
            return self.ticket(rng.choice(self.unseen), rng)
        if kind == "long":
            return self.bank(rng, rng.choice([16, 24, 40]))
        return getattr(self, kind)(rng)
