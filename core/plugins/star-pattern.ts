/** Matches a whole text; `*` stands for any text. */
export function starPattern(text: string): RegExp {
  return new RegExp(`^${text.split('*').map(escape).join('.*')}$`, 's');
}

const escape = (text: string) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
