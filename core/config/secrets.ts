const CREDENTIAL_FIELD = /key|token|secret|password|auth/i;

const NUMBER_OF_TOKENS = /^(max|min)_(\w+_)?tokens$|_per_token$|^tokens_per_/i;

/** Whether a field may contain a key, also by mistake. */
export function isCredentialField(name: string): boolean {
  return CREDENTIAL_FIELD.test(name) && !NUMBER_OF_TOKENS.test(name);
}

/** Whether a text looks like a key, in any field. */
export function looksLikeKey(text: string): boolean {
  if (/^(sk|pk|rk)[-_]/.test(text) || /^[0-9a-f]{24,}$/i.test(text)) return true;
  return text.length >= 20 && !/\s/.test(text) && [/[a-z]/, /[A-Z]/, /[0-9]/].every((kind) => kind.test(text));
}
