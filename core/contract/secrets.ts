const CREDENTIAL_FIELD = /key|token|secret|password|auth/i;

const NUMBER_OF_TOKENS = /^(max|min)_(\w+_)?tokens$|_per_token$|^tokens_per_/i;

/** Whether a field may contain a key, also by mistake. */
export function isCredentialField(name: string): boolean {
  return CREDENTIAL_FIELD.test(name) && !NUMBER_OF_TOKENS.test(name);
}

const KEY_BEGINNING = /^(c?sk|pk|rk)[-_]/;
/** Such a beginning behind a provider, too: `openai:sk-...`. */
const KEY_WITHIN = new RegExp(KEY_BEGINNING.source.replace('^', String.raw`(^|[:/\s])`));
/** A short beginning and one long word that mixes small letters and digits, as some vendors issue keys. */
const LONG_TAIL = /^[a-z]{2,6}[-_](?=([a-z]*[0-9]+){5})(?=([0-9]*[a-z]+){5})[a-z0-9]{32,}$/;
const LONG_HEX = /^[0-9a-f]{24,}$/i;
/** Some vendors issue these as keys. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text looks like a key, in any field. */
export function looksLikeKey(text: string): boolean {
  return (
    KEY_BEGINNING.test(text) || LONG_HEX.test(text) || UUID.test(text) || LONG_TAIL.test(text) || isLongMixture(text)
  );
}

/** A model that is named by its size, such as `sk-solar-10.7b-instruct`: short words and numbers, and `7b` among them. */
const NAMED_BY_SIZE =
  /^(?=.*[-_]\d{1,3}(\.\d)?b([-_:.]|$))([a-z]{1,12}|\d{1,4}b?|[a-z]\d{1,2})([-_:./]([a-z]{1,12}|\d{1,4}b?|[a-z]\d{1,2}))*$/i;

/** Whether the name of a model, or what stands in its place, begins like a key. Speed: requests ask it. */
export function beginsLikeKey(model: string): boolean {
  return KEY_WITHIN.test(model) && !NAMED_BY_SIZE.test(model);
}

/** `owner/name:` and the hash of one version of the model, as Replicate names them. */
const VERSION = /^[\w.-]+\/[\w.-]+:([0-9a-f]{40}|[0-9a-f]{64})$/;

/** The same in the place of a model. Names of models are long mixtures of short words, such as `Qwen3-Coder-480B-A35B-Instruct`. */
export function nameHoldsKey(text: string): boolean {
  if (VERSION.test(text) && !KEY_BEGINNING.test(text)) return false;
  const words = text.split(/[^A-Za-z0-9]+/);
  const parts = text.split(':');
  return (
    parts.some((part) => (KEY_BEGINNING.test(part) && !NAMED_BY_SIZE.test(part)) || LONG_TAIL.test(part)) ||
    words.some((word) => LONG_HEX.test(word) || isLongMixture(word))
  );
}

const LETTERS_AND_DIGITS = /^([a-z]{2,6}[-_])?(?=.*[a-z])(?=.*[A-Z])(?=(.*\d){3})[A-Za-z0-9]{30,}$/;

/** Whether a text can hardly be anything but a key: no hash of a commit, and no long name such as `OAuth2ClientCredentials`. */
export function isSurelyKey(text: string): boolean {
  const begins = (part: string) => KEY_BEGINNING.test(part) && /\d/.test(part) && part.length >= 16;
  return text.split(':').some((part) => begins(part) || LETTERS_AND_DIGITS.test(part));
}

export const HIDDEN = '(not shown: it looks like a key)';

/** A name for a message, or the reason why the message does not have it. */
export function shownName(name: string): string {
  return nameHoldsKey(name) ? HIDDEN : name;
}

/** The same, with the name in quotes. */
export function nameOrHidden(name: string): string {
  return nameHoldsKey(name) ? HIDDEN : `"${name}"`;
}

function isLongMixture(text: string): boolean {
  return text.length >= 20 && !/\s/.test(text) && [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(text));
}
