import type { HttpError } from '../serving/http-error';
import { plainPage } from './plain-page';

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
