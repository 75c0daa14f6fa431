import type { HttpError } from '../serving/http-error';

const TITLES: Record<number, string> = {
  401: 'Not signed in',
  404: 'Not found',
  405: 'Not allowed',
  500: 'The dashboard failed',
  503: 'Not ready',
};

/** A failure as a page. Without styles: the policy forbids inline ones, and only users who are let in get the files. */
export function errorPage({ status, message, hint }: HttpError, refresh?: string): string {
  const title = TITLES[status] ?? 'Error';
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...(refresh === undefined ? [] : [`<meta http-equiv="refresh" content="0; url=${refresh}">`]),
    `<title>${escape(title)} - Drivebay</title>`,
  ];
  const paragraphs = hint === undefined ? [message] : [message, hint];
  const sentences = paragraphs.map((text) => `<p>${withCode(text.charAt(0).toUpperCase() + text.slice(1))}.</p>`);
  const body = [`<h1>${escape(title)}</h1>`, ...sentences];
  return `<!doctype html>\n<html lang="en">\n${[...head, ...body].join('\n')}\n</html>\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Shows text between backticks as code. */
function withCode(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}
