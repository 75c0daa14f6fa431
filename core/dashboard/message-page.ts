/** A page that says one thing. Without styles: the policy allows no inline ones, and files are for those who are let in. */
export function messagePage(title: string, paragraphs: string[], refresh?: string): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...(refresh === undefined ? [] : [`<meta http-equiv="refresh" content="0; url=${refresh}">`]),
    `<title>${escape(title)} - Drivebay</title>`,
  ];
  const body = [
    `<h1>${escape(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${withCode(text.charAt(0).toUpperCase() + text.slice(1))}.</p>`),
  ];
  return `<!doctype html>\n<html lang="en">\n${[...head, ...body].join('\n')}\n</html>\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** What stands between backticks is to be typed. */
function withCode(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}
