import type { HttpError } from '../serving/http-error';
import { DASHBOARD_PATH } from './protocol';

/** The styles of the dashboard. They tell nothing, so browsers that were not let in get them, too. */
export const STYLES = `${DASHBOARD_PATH}/style.css`;

interface PlainPage {
  title: string;
  /** Text between backticks is code. */
  paragraphs: string[];
  links?: readonly (readonly [href: string, text: string])[];
  /** Where the browser goes at once. */
  refresh?: string;
}

/** A page without a script. */
export function plainPage({ title, paragraphs, links = [], refresh }: PlainPage): string {
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    ...(refresh === undefined ? [] : [`<meta http-equiv="refresh" content="0; url=${refresh}">`]),
    `<link rel="stylesheet" href="${STYLES}">`,
    `<title>${escape(title)} - Drivebay</title>`,
    '<main class="problem">',
    `<h1>${escape(title)}</h1>`,
    ...paragraphs.map((text) => `<p>${withCode(text)}</p>`),
    ...links.map(([href, text]) => `<p><a href="${href}">${escape(text)}</a></p>`),
    '</main>',
    '</html>',
  ];
  return `${lines.join('\n')}\n`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function withCode(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

const TITLES: Record<number, string> = {
  401: 'Not signed in',
  404: 'Not found',
  405: 'Not allowed',
  500: 'The dashboard failed',
  503: 'Not ready',
};

/** A failure as a page. */
export function errorPage({ status, message, hint = '' }: HttpError, refresh?: string): string {
  const texts = [message, hint].filter((text) => text !== '');
  const paragraphs = texts.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
  return plainPage({ title: TITLES[status] ?? 'Error', paragraphs, refresh });
}
