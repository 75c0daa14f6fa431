import { printable } from '../../log/printable';
import { type Colour, paint } from '../terminal/print';
import type { Finding, Severity } from './finding';

const SEVERITIES: readonly Severity[] = ['broken', 'warning', 'note', 'ok'];

const COLOURS: Record<Severity, Colour> = { ok: 'green', note: 'dim', warning: 'yellow', broken: 'red' };

/** The findings for people: by provider, each with its remedy below it, and how many there are at the end. */
export function formatFindings(findings: readonly Finding[]): string {
  const groups = new Map<string, Finding[]>();
  for (const each of findings) {
    const title = titleOf(each);
    groups.set(title, [...(groups.get(title) ?? []), each]);
  }
  const width = Math.max(...findings.map(({ code }) => code.length));
  const blocks = [...groups].map(([title, own]) => [title, ...own.flatMap((each) => lines(each, width))].join('\n'));
  return [...blocks, formatCounts(findings)].join('\n\n');
}

function titleOf({ provider, place }: Finding): string {
  if (provider === undefined) return 'Drivebay';
  return place === undefined ? provider : `${provider}  ${paint('dim', printable(place))}`;
}

function lines({ severity, code, message, fix }: Finding, width: number): string[] {
  const head = `  ${paint(COLOURS[severity], severity.padEnd(7))}  ${code.padEnd(width)}  `;
  const indent = ' '.repeat(2 + 7 + 2 + width + 2);
  return [`${head}${printable(message)}`, ...(fix === undefined ? [] : [`${indent}fix: ${printable(fix)}`])];
}

export function countFindings(findings: readonly Finding[]): Record<Severity, number> {
  const counts = { broken: 0, warning: 0, note: 0, ok: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

function formatCounts(findings: readonly Finding[]): string {
  const counts = countFindings(findings);
  return SEVERITIES.map((severity) => `${counts[severity]} ${severity}`).join(', ');
}
