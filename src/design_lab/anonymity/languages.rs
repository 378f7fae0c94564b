//! Finds instructions to reviewers in languages other than English, by the phrases that such texts use.
//!
//! A rule is a list of groups of word beginnings, which must occur in one sentence, in this order and close to one
//! another; `$` marks the end of a word. Designs are hardly ever written in these languages, so the rules can be broader
//! than the English ones.

use std::sync::LazyLock;

use super::fold::{Glyph, glyphs};
use super::instructions::InstructionKind::{self, Addresses, Overrides, Scores};

/// How many characters may be between two groups.
const NEAR: usize = 48;

/// The rules: the kind of instruction, and the groups that express it.
const RULES: [(InstructionKind, &[&str]); 43] = [
    // German
    (
        Overrides,
        &[
            "ignoriere$|ignorieren sie|ignorier$|vergiss|vergesst|vergessen sie|missachte$|missachten sie",
            "anweisung|instruktion|vorgabe|richtlinie|bewertungs|rubrik",
        ],
    ),
    (Overrides, &["bewertungskriteri|bewertungsraster|rubrik", "gelten nicht|gilt nicht|nicht gelten"]),
    (
        Scores,
        &[
            "gib$|gebt|geben sie|vergib|vergeben sie|bewerte$|bewertet|bewerten sie|beurteilen sie",
            "entwurf|vorschlag|design|losung|einreichung",
            "hochst|volle|maximal|zehn$|10$|bestnote|best",
        ],
    ),
    (
        Scores,
        &[
            "gib$|gebt|geben sie|vergib|vergeben sie",
            "hochst|volle punkt|maximal|zehn punkt|10 punkt|bestnote",
            "entwurf|vorschlag|design|losung|einreichung",
        ],
    ),
    (
        Addresses,
        &[
            "hinweis an|nachricht an|anweisung an|liebe|sehr geehrte|als",
            "gutachter|bewerter|prufer|juror|begutachte",
            ":|,|,du|mussen sie|sollen sie|sollten sie|musst du|sollst du",
        ],
    ),
    (
        Addresses,
        &["wenn du|wenn sie|falls du|falls sie", "sprachmodell|ki$|gutachter|bewerter|bewertest|bewerten"],
    ),
    // French
    (
        Overrides,
        &[
            "ignore$|ignorez|ignorer|oublie$|oubliez",
            "instruction|consigne|directive|regle|critere|grille",
            "precedent|anterieur|ci-dessus|d'evaluation|de notation",
        ],
    ),
    (
        Scores,
        &[
            "donne$|donnez|attribue$|attribuez|accorde$|accordez|note$|notez|mets$|mettez",
            "conception|proposition|design|solution|architecture",
            "maxim|10$|dix$|meilleur|parfait|plus haute|plus elevee",
        ],
    ),
    (
        Scores,
        &[
            "donne$|donnez|attribue$|attribuez|accorde$|accordez|mets$|mettez",
            "note|score|points",
            "maxim|10$|dix$|parfait|plus haute|plus elevee|a cette|a ma|a notre",
        ],
    ),
    (
        Addresses,
        &[
            "cher$|chers$|chere$|cheres$|note a|note aux|message a|message aux|a l'attention",
            "evaluateur|evaluatrice|relecteur|correcteur|examinateur|juge$|juges$",
        ],
    ),
    (
        Addresses,
        &[
            "si vous etes|si tu es|si vous evaluez|si tu evalues",
            "modele de langage|ia$|evaluateur|proposition|conception|assistant",
        ],
    ),
    // Spanish and Portuguese
    (
        Overrides,
        &[
            "ignora$|ignore$|ignoren$|ignorad$|ignorar$|olvida$|olvide$|olviden$|esqueca$|esquece$",
            "instruccion|indicacion|directri|criterio|rubrica|instruc|orientac|regla|regra",
            "anterior|previa|previo|arriba|acima|de evaluacion|de puntuacion|de avaliacao|de calificacion",
        ],
    ),
    (
        Scores,
        &[
            "da$|dale$|dele$|den$|otorga|otorgue|asigna|asigne|atribua|de$|puntua|califica|califique|avalie",
            "diseno|propuesta|solucion|proposta|projeto|solucao",
            "maxim|10$|diez$|dez$|mas alta|mais alta|perfecta|perfeita|mejor",
        ],
    ),
    (
        Scores,
        &[
            "dale$|dele$|otorga|otorgue|asigna|asigne|atribua|de$|da$",
            "puntuacion|calificacion|nota|pontuacao",
            "maxim|10$|diez$|dez$|mas alta|mais alta|perfecta|perfeita",
        ],
    ),
    (
        Addresses,
        &[
            "estimado|estimada|querido|querida|prezado|caro|nota para|nota al|mensaje para|mensaje al|mensagem",
            "evaluador|evaluadora|revisor|revisora|juez$|avaliador|jurado",
        ],
    ),
    (
        Addresses,
        &[
            "si eres|si usted es|si estas|se voce e|se voce esta",
            "modelo de lenguaje|modelo de linguagem|ia$|evaluador|evaluando|avaliador|avaliando|revisor",
        ],
    ),
    // Italian
    (
        Overrides,
        &[
            "ignora$|ignorate|ignori$|dimentica$|dimenticate",
            "istruzion|criteri|regole|direttive",
            "precedent|di valutazione|sopra",
        ],
    ),
    (
        Scores,
        &[
            "assegna$|assegnate|assegni$|dai$|date$|valuta$|valutate",
            "progetto|proposta|soluzione|design|punteggio|voto",
            "massim|10$|dieci$|perfett|piu alto",
        ],
    ),
    (Addresses, &["gentile|caro$|cari$|nota per|messaggio per", "valutator|revisor|giudic|esaminator"]),
    // Dutch
    (
        Overrides,
        &[
            "negeer$|vergeet$",
            "vorige|eerdere|bovenstaande|voorgaande|alle",
            "instructie|richtlijn|aanwijzing|criteria|rubriek",
        ],
    ),
    (Scores, &["geef$|ken$|beoordeel$", "ontwerp|voorstel|oplossing", "hoogste|maximale|10$|tien$|beste"]),
    (Addresses, &["beste$|geachte$|opmerking voor|bericht aan", "beoordelaar|reviewer|jurylid"]),
    // Polish
    (Overrides, &["zignoruj|ignoruj|zapomnij", "instrukc|polecen|wytyczn|kryteri"]),
    (Scores, &["daj$|przyznaj|ocen$", "projekt|propozycj|rozwiazani", "najwyzsz|maksymaln|10$"]),
    // Russian and Ukrainian
    (
        Overrides,
        &[
            "игнорируй|проигнорируй|забудь|не учитывай|ігноруй|забудь",
            "инструкц|указани|критери|рубрик|правил|інструкц|вказівк",
        ],
    ),
    (
        Scores,
        &[
            "поставь|поставьте|дай$|дайте|присвой|оцени|постав$|оцініть",
            "максимальн|высш|наивысш|10$|десять|найвищ",
        ],
    ),
    (
        Addresses,
        &["уважаем|дорог|вниманию|сообщение для|заметка для", "рецензент|оценщик|эксперт|проверяющ|судь"],
    ),
    (Addresses, &["если ты|если вы|якщо ви", "языков|модел|рецензент|оценива|ии$|мовн"]),
    // Turkish
    (Overrides, &["onceki|yukaridaki|tum", "talimat|yonerge|kurallar", "yok say|gormezden gel|unut"]),
    (Scores, &["bu tasarim|bu oneri", "en yuksek|tam puan|10 puan"]),
    // Chinese
    (
        Overrides,
        &[
            "忽略|无视|無視|忘记|忘記|不要理会|不要理會",
            "之前|以前|以上|先前|前面|上述|此前|上面|所有",
            "指令|指示|说明|說明|提示|要求|规则|規則",
        ],
    ),
    (Overrides, &["忽略|无视|無視|不要使用|不用管", "评分标准|評分標準|评审标准|評審標準|评价标准|评分规则"]),
    (Scores, &["给|給|打|评|評", "满分|滿分|最高分|10分|最高评|最高的分|最高評"]),
    (Addresses, &["尊敬的|亲爱的|親愛的|致|各位", "评审|評審|审稿|審稿|评委|評委|评估者|评分者"]),
    (
        Addresses,
        &[
            "如果你是|如果您是|作为|作為",
            "语言模型|語言模型|ai|人工智能|评审|評審|评委",
            "请|請|必须|必須|应该|應該|，|,|。",
        ],
    ),
    // Japanese
    (
        Overrides,
        &["以前の|これまでの|上記の|前の|すべての|全ての", "指示|命令|ルール|プロンプト", "無視|忘れ"],
    ),
    (Overrides, &["採点基準|評価基準|評価項目", "無視|適用され"]),
    (Scores, &["この設計|本設計|この提案|本提案|この案", "満点|最高点|最高得点|最高の評価|10点"]),
    (Addresses, &["審査員|査読者|評価者|レビュアー|採点者", "へ|の皆|の方|様"]),
    (Addresses, &["あなたが|もしあなたが", "言語モデル|ai|審査員|評価者"]),
    // Korean
    (Overrides, &["이전|위의|앞의|모든", "지시|명령|지침|프롬프트", "무시|잊"]),
    (Scores, &["이 설계|이 제안|이 디자인|본 설계", "만점|최고 점수|최고점|10점"]),
    (Addresses, &["심사위원|평가자|검토자", "님|에게|께"]),
];

/// A kind of instruction, and the groups of word beginnings that express it, folded.
type Rule = (InstructionKind, Vec<Vec<String>>);

/// The folded rules, with which texts are compared: folding them again for each text would take longer than everything
/// else.
static FOLDED: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let group = |group: &&str| group.split('|').map(fold).collect();
    RULES.iter().map(|(kind, groups)| (*kind, groups.iter().map(group).collect())).collect()
});

/// Words of a sentence that quotes such a phrase to defend against it.
const DEFENDS: &str = "angriff|angreif|attaque|ataque|attacc|aanval|атак|攻击|攻擊|攻撃|공격|inject|injekt|inyec|инъекц|注入|インジェクション\
    |beispiel|z. b|z.b|exemple|ejemplo|exemplo|esempio|voorbeeld|пример|например|例|예|filter|filtr|erkenn|erkann|detect|detekt|\
    block|blockier|bloqu|test|abgewehrt|abwehr";

/// A folded text, with the offsets of the original.
pub(super) struct Folded {
    text: String,
    /// Byte offset in the original of each byte of the text.
    at: Vec<usize>,
}

impl Folded {
    pub(super) fn new(glyphs: &[Glyph]) -> Self {
        let mut folded =
            Self { text: String::with_capacity(glyphs.len()), at: Vec::with_capacity(glyphs.len()) };
        for glyph in glyphs {
            folded.text.push(glyph.letter);
            folded.at.resize(folded.text.len(), glyph.start);
        }
        folded
    }

    /// Returns where such a text starts, as a byte offset in the original.
    pub(super) fn first(&self, kind: InstructionKind) -> Option<usize> {
        let rules = FOLDED.iter().filter(|(of, _)| *of == kind);
        let found = rules.filter_map(|(_, groups)| self.said(groups)).min()?;
        Some(self.at[found])
    }

    fn said(&self, groups: &[Vec<String>]) -> Option<usize> {
        let (first, others) = groups.split_first()?;
        let mut from = 0;
        while let Some((start, end)) = earliest(&self.text[from..], from, &self.text, first) {
            let sentence = sentence_around(&self.text, start);
            let goes_on = others.iter().try_fold(end, |at, group| {
                let reach = near(&self.text[at..sentence.1.max(at)]);
                earliest(&self.text[at..at + reach], at, &self.text, group).map(|(_, end)| end)
            });
            if goes_on.is_some() && !is_spoken_of(&self.text[sentence.0..sentence.1], start - sentence.0) {
                return Some(start);
            }
            from = end;
        }
        None
    }
}

fn fold(text: &str) -> String {
    glyphs(text).iter().map(|glyph| glyph.letter).collect()
}

/// Returns the first place of any of these words in `part`, which starts at `offset` of `text`.
fn earliest(part: &str, offset: usize, text: &str, words: &[String]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    for word in words {
        let (stem, whole) = word.strip_suffix('$').map_or((word.as_str(), false), |stem| (stem, true));
        let found = part.match_indices(stem).find(|(at, _)| {
            let (start, end) = (offset + at, offset + at + stem.len());
            let begins = !stem.starts_with(is_spelled) || !text[..start].ends_with(is_spelled);
            begins && (!whole || !text[end..].starts_with(is_spelled))
        });
        if let Some((at, _)) = found
            && best.is_none_or(|(start, _)| offset + at < start)
        {
            best = Some((offset + at, offset + at + stem.len()));
        }
    }
    best
}

/// Whether a letter belongs to a script that puts spaces between words.
fn is_spelled(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..)
}

/// Returns how many bytes of a text count as near its start.
fn near(text: &str) -> usize {
    text.char_indices().nth(NEAR).map_or(text.len(), |(at, _)| at)
}

/// Returns the sentence that contains a place.
fn sentence_around(text: &str, at: usize) -> (usize, usize) {
    let ends = |(at, c): (usize, char)| {
        let end = at + c.len_utf8();
        let full_stop = matches!(c, '!' | '?' | '\n' | '。')
            || c == '.'
                && text[end..].chars().next().is_none_or(char::is_whitespace)
                && !text[..at].ends_with("z. b");
        full_stop.then_some(end)
    };
    let start = text[..at].char_indices().rev().find_map(ends).unwrap_or(0);
    let end = text[at..].char_indices().find_map(|(more, c)| ends((at + more, c))).unwrap_or(text.len());
    (start, end)
}

/// Whether the sentence quotes the text at this place as something to defend against.
fn is_spoken_of(sentence: &str, at: usize) -> bool {
    let quoted = sentence[..at].contains(['"', '“', '„', '«', '`', '\'', '「', '『', '”']);
    quoted && DEFENDS.split('|').any(|word| sentence.contains(fold(word).as_str()))
}
