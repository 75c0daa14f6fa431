import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { repository } from './repository';

export interface Import {
  /** As written: a package, `node:...`, or a relative path. */
  specifier: string;
  /** The file behind a relative specifier, from the repository's root, without extension. */
  target?: string;
  /** True when nothing of it is left in the compiled program. */
  typeOnly: boolean;
  /** What is imported by name. */
  names: string[];
}

export interface SourceFile {
  /** From the repository's root. */
  path: string;
  imports: Import[];
  /** Identifiers, strings and template texts: everything but comments. */
  words: string[];
}

/** Every source file below a folder, read by the compiler's own parser, so that comments and strings are no imports. */
export function sourceFiles(folder: string): SourceFile[] {
  const found = readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|mjs|cjs)$|^cli$/.test(entry.name))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes('node_modules'))
    .sort();
  return found.map(parse);
}

function parse(path: string): SourceFile {
  const text = readFileSync(join(repository, path), 'utf8');
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const file: SourceFile = { path, imports: [], words: [] };

  const add = (specifier: ts.Node | undefined, typeOnly: boolean, names: string[] = []) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const isRelative = specifier.text.startsWith('.');
    const target = isRelative && relative(repository, resolve(repository, dirname(path), specifier.text));
    file.imports.push({
      specifier: specifier.text,
      typeOnly,
      names,
      ...(target && { target: target.replace(/\.(tsx?|js)$/, '') }),
    });
  };

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      const bindings = clause?.namedBindings;
      const elements = bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
      const allTypes = elements.length > 0 && !clause?.name && elements.every((element) => element.isTypeOnly);
      const names = elements.map((element) => (element.propertyName ?? element.name).text);
      add(node.moduleSpecifier, clause?.isTypeOnly === true || allTypes, names);
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly);
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true);
    } else if (ts.isCallExpression(node)) {
      const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
      if (isRequire || node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
    }
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) {
      file.words.push(node.text);
    } else if (ts.isRegularExpressionLiteral(node)) {
      file.words.push(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return file;
}
