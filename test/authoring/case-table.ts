import { allCases } from '../../core/authoring/conformance/all-cases';

const NEEDS: Record<string, (name: string) => string> = {
  kind: (name) => `kind ${name}`,
  option: (name) => `option \`${name}\``,
  capability: (name) => `capability \`${name}\``,
  without: (name) => `\`${name}\` in \`cannot\``,
};

/** The cases as a table of docs/testing-a-driver.md. */
export function caseTable(): string {
  const rows = allCases.map(({ id, name, needs, since }) => {
    const spelt = needs.map((need) => {
      const [subject, rest] = need.split(':') as [string, string?];
      return rest === undefined ? `\`${need}\`` : NEEDS[subject]?.(rest);
    });
    return `| \`${id}\` | ${name} | ${spelt.join(', ')} | ${since} |`;
  });
  return ['| id | a driver passes when | needs | since |', '|---|---|---|---|', ...rows].join('\n');
}
