import { printable } from '../../log/printable';
import { countEach, formatFinding } from '../terminal/finding-lines';
import { type Colour, paint } from '../terminal/print';
import type { DoctorFinding, Severity } from './finding';

const COLOURS: Record<Severity, Colour> = { broken: 'red', warning: 'yellow', note: 'dim', ok: 'green' };

/** The findings as text: grouped by provider, each with its remedy, and the counts at the end. */
export function formatFindings(findings: readonly DoctorFinding[]): string {
  const width = Math.max(...findings.map(({ code }) => code.length));
  const groups = new Map<string, string[]>();
  for (const finding of findings) {
    const { severity: status, code, message, fix } = finding;
    // A question is no command.
    const advice = fix?.startsWith('did you mean') ? fix : fix && `fix: ${fix}`;
    const line = formatFinding({ status, colour: COLOURS[status], code, message, advice }, { indent: '  ', width });
    const title = titleOf(finding);
    groups.set(title, [...(groups.get(title) ?? [title]), line]);
  }
  const total = Object.entries(countFindings(findings)).map(([severity, count]) => `${count} ${severity}`);
  return [...[...groups.values()].map((lines) => lines.join('\n')), total.join(', ')].join('\n\n');
}

function titleOf({ provider, place }: DoctorFinding): string {
  if (provider === undefined) return 'Drivebay';
  return place === undefined ? provider : `${provider}  ${paint('dim', printable(place))}`;
}

export function countFindings(findings: readonly DoctorFinding[]): Record<Severity, number> {
  const severities = findings.map(({ severity }) => severity);
  return countEach(COLOURS, severities);
}
