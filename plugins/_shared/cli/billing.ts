/** How the programs name a source of keys that is a login. */
const LOGINS = ['none', 'oauth', 'login'];

/** Which purse pays, as far as the program has said where its key is from. */
export function billingOf(keyName: string | undefined, keySource: string | undefined): string {
  if (keyName) return `api-key (${keyName})`;
  if (keySource === undefined) return "the program's login";
  return LOGINS.includes(keySource) ? 'subscription' : `api-key (${keySource})`;
}

/** The warning that a key pays which the provider does not name. */
export function paysUnasked(keyName: string | undefined, keySource: string | undefined): string | undefined {
  if (keyName || keySource === undefined || LOGINS.includes(keySource)) return undefined;
  return `the program pays with a key of its own (${keySource}), not with its login`;
}
