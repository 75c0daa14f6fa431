import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { repository } from '../setup/repository';

/** What a problem of the configuration, or a warning, is kept in on its way. */
const HOLDERS = /^(this\.)?(message|warning|stageWarning)$/;
/** What takes the words of one. */
const TAKERS = /(^|\.)(warn|warnOnce|broken|unusable)$/;
/** The words behind the message of `warn` are its hint. */
const wordsOf = ({ expression, arguments: all }: ts.CallExpression) =>
  /(^|\.)warn$/.test(expression.getText()) ? all.slice(0, 1) : [...all];
/** What makes the words of one. */
const MAKERS = /^(explain|findExcess)/;

/** The words with which a source file tells its user of a mistake, or warns. `…` stands for what differs. */
export function messagesIn(path: string): string[] {
  const text = readFileSync(join(repository, path), 'utf8');
  const found = new Set<string>();
  const visit = (node: ts.Node, maker?: string): void => {
    for (const said of sayings(node, maker)) for (const words of textsOf(said)) found.add(words);
    const name = ts.isFunctionDeclaration(node) ? node.name?.text : maker;
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  // One that only passes another one on says nothing.
  return [...found].filter((words) => /[a-z]{3}/i.test(words));
}

function sayings(node: ts.Node, maker = ''): ts.Expression[] {
  if (ts.isPropertyAssignment(node)) return HOLDERS.test(node.name.getText()) ? [node.initializer] : [];
  if (ts.isVariableDeclaration(node)) {
    return node.initializer && HOLDERS.test(node.name.getText()) ? [node.initializer] : [];
  }
  if (ts.isBinaryExpression(node)) return HOLDERS.test(node.left.getText()) ? [node.right] : [];
  if (ts.isCallExpression(node)) return TAKERS.test(node.expression.getText()) ? wordsOf(node) : [];
  return ts.isReturnStatement(node) && node.expression && MAKERS.test(maker) ? [node.expression] : [];
}

/** Where words depend on something, they are one of several. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isIdentifier(node)) return constant(node);
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return [];
  const text = node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
  return [text.replace(/…+/g, '…')];
}

/** A text that a file has named at its top level. */
function constant(name: ts.Identifier): string[] {
  const declarations = name
    .getSourceFile()
    .statements.filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations]);
  const found = declarations.find((each) => each.name.getText() === name.text)?.initializer;
  return found && !ts.isIdentifier(found) ? textsOf(found) : [];
}
