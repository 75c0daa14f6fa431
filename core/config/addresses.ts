import { isCredentialField, looksLikeKey } from '../contract/secrets';

const ADDRESS = /\bhttps?:\/\/[^\s"'<>]+/gi;

/** An address without anything that may be a key: its user and password, and its query. */
export function showAddress(address: string): string {
  return address.replace(/\?.*/s, '?...').replace(/\/\/[^/]*@/, '//...@');
}

/** The same for each address in a text. */
export function showAddresses(text: string): string {
  return text.replace(ADDRESS, showAddress);
}

/** What of an address is a key, as it is written and decoded: logs and errors of others may show either. */
export function keysIn(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const { username, password } = new URL(address);
  const user = password !== '' || looksLikeKey(username) ? [password || username] : [];
  const keys = [...user, ...queryKeys(address)];
  return [...new Set(keys.flatMap((key) => [key, decoded(key)]))].filter((key) => key !== '');
}

/** The values of a query that look like keys, or whose names say that they are. */
export function queryKeys(address: string): string[] {
  if (!URL.canParse(address)) return [];
  const pairs = [...new URL(address).searchParams];
  return pairs.flatMap(([name, value]) =>
    value !== '' && (isCredentialField(name) || looksLikeKey(value)) ? [value] : [],
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
