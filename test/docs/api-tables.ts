import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../setup/repository';
import { markdownTable } from './markdown-table';

const file = join(repository, 'core/contract/api.ts');
const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2023, true);

function declaration(name: string): ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  const found = source.statements.find(
    (each): each is ts.InterfaceDeclaration | ts.TypeAliasDeclaration => isDeclaration(each) && each.name.text === name,
  );
  if (!found) throw new Error(`the contract has no ${name}`);
  return found;
}

/** The text of a doc comment as one line. */
function wordsOf(comment: string): string {
  return comment
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The doc comment in front of a node. */
const docOf = (node: ts.Node) => docAt(node.pos);

function docAt(position: number): string {
  const comments = ts.getLeadingCommentRanges(source.text, position) ?? [];
  const last = comments.map(({ pos, end }) => source.text.slice(pos, end)).findLast((text) => text.startsWith('/**'));
  return last === undefined ? '' : wordsOf(last);
}

const flat = (text: string) => text.replace(/\s+/g, ' ').replace(/;$/, '');

/** The members of an interface: signature and doc comment. */
export function memberTable(name: string): string {
  const node = declaration(name);
  if (!ts.isInterfaceDeclaration(node)) throw new Error(`${name} is no interface`);
  const rows = node.members.map((member) => [`\`${flat(member.getText())}\``, docOf(member)]);
  return markdownTable(['member', 'meaning'], rows);
}

/** The members of a union of objects, each by its `type`: fields and doc comment. */
export function unionTable(name: string, head: string): string {
  const rows = membersOf(declaration(name)).map(({ literal, doc }) => {
    const [type, ...fields] = literal.members.map((member) => flat(member.getText()));
    return [`\`${/'(\w+)'/.exec(type ?? '')?.[1] ?? ''}\``, fields.map((field) => `\`${field}\``).join(', '), doc];
  });
  return markdownTable([head, 'fields', 'meaning'], rows);
}

/** Unions that a union names are part of it. */
function membersOf(
  node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration,
): { literal: ts.InterfaceDeclaration | ts.TypeLiteralNode; doc: string }[] {
  if (ts.isInterfaceDeclaration(node)) return [{ literal: node, doc: docOf(node) }];
  if (!ts.isUnionTypeNode(node.type)) throw new Error(`${node.name.text} is no union`);
  const { pos, types } = node.type;
  return types.flatMap((each, index) => {
    if (!ts.isTypeLiteralNode(each)) return membersOf(declaration(each.getText()));
    // The comment stands before the bar, which the parser counts to neither of the two.
    return [{ literal: each, doc: docAt(types[index - 1]?.end ?? pos) }];
  });
}

/** The types that a table names without explaining them, and those that these name. */
export function typeTable(explained: string[]): string {
  const names = source.statements.filter(isDeclaration).map(({ name }) => name.text);
  const found = new Set(explained);
  for (const name of found) {
    const text = declaration(name).getText();
    for (const each of names) if (new RegExp(`\\b${each}\\b`).test(text)) found.add(each);
  }
  const rows = [...found].filter((name) => !explained.includes(name)).map((name) => typeRow(declaration(name)));
  return markdownTable(
    ['type', 'members', 'meaning'],
    rows.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}

function isDeclaration(node: ts.Statement): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function typeRow(node: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): string[] {
  const name = `\`${node.name.text}\``;
  if (ts.isTypeAliasDeclaration(node)) {
    return [name, `\`${flat(node.type.getText().replace(/\/\*\*.*?\*\//gs, '')).replace(/^ ?\| /, '')}\``, docOf(node)];
  }
  const docs = node.members.map((member) => [member.name?.getText() ?? '', docOf(member)] as const);
  const words = docs.filter(([, doc]) => doc !== '').map(([member, doc]) => `\`${member}\`: ${doc}`);
  const members = node.members.map((member) => `\`${flat(member.getText())}\``).join(', ');
  return [name, members, [docOf(node), ...words].join(' ')];
}

/** What the doc comment of a union of words says of each: `- \`word\`: meaning.` */
export function wordMeanings(name: string): Map<string, string> {
  const bullets = docOf(declaration(name)).matchAll(/- `(\w+)`: (.*?)(?= - `|$)/g);
  return new Map([...bullets].map(([, word, meaning]) => [word!, meaning!]));
}
