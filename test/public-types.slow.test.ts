import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { repository } from './setup/repository';

const ENTRIES = ['core/contract/api.ts', 'core/authoring/api.ts'];
const examples = new Map(
  [...readFileSync(join(repository, 'docs/testing-a-driver.md'), 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(
    (match, index) => [join(repository, `test/example-${index}.mts`), match[1]!],
  ),
);

/** One program for everything here: to make it takes seconds. */
const program = compile();
const checker = program.getTypeChecker();

function compile(): ts.Program {
  const config = ts.readConfigFile(join(repository, 'tsconfig.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, repository);
  const host = ts.createCompilerHost(options);
  const fileExists = host.fileExists.bind(host);
  const getSourceFile = host.getSourceFile.bind(host);
  host.fileExists = (path) => examples.has(path) || fileExists(path);
  host.getSourceFile = (path, target, ...rest) => {
    const example = examples.get(path);
    return example === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, example, target);
  };
  const roots = [...ENTRIES.map((entry) => join(repository, entry)), ...examples.keys()];
  return ts.createProgram(roots, { ...options, types: ['node'], emitDeclarationOnly: true }, host);
}

function sourceOf(entry: string): ts.SourceFile {
  return program.getSourceFile(join(repository, entry))!;
}

/** The exported names of an entry, each with its declaration as it lands in the package. */
function surfaceOf(entry: string): { name: string; isDocumented: boolean; text: string }[] {
  const module = checker.getSymbolAtLocation(sourceOf(entry))!;
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .map((symbol) => {
      const { name } = symbol;
      const statement = declarationsOf(symbol.declarations![0]!.getSourceFile()).find((each) =>
        namesOf(each).includes(name),
      )!;
      return { name, isDocumented: ts.getJSDocCommentsAndTags(statement).length > 0, text: withoutComments(statement) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const emitted = new Map<string, ts.SourceFile>();

function declarationsOf(source: ts.SourceFile): readonly ts.Statement[] {
  const known = emitted.get(source.fileName);
  if (known) return known.statements;
  let text = '';
  program.emit(source, (_, content) => (text = content), undefined, true);
  const declarations = ts.createSourceFile(`${source.fileName}.d.ts`, text, ts.ScriptTarget.ES2023, true);
  emitted.set(source.fileName, declarations);
  return declarations.statements;
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}

function withoutComments(statement: ts.Statement): string {
  const printed = ts.createPrinter({ removeComments: true });
  const text = printed.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile());
  return text.replace(/^ +private .*\n/gm, '');
}

describe.each(ENTRIES)('what %s makes public', (entry) => {
  test('is what was decided: look at the difference, then run jest with -u and add a line to the changelog', () => {
    expect(
      surfaceOf(entry)
        .map(({ text }) => text)
        .join('\n\n'),
    ).toMatchSnapshot();
  });

  test('has a doc comment on every name, in the declarations too', () => {
    expect(
      surfaceOf(entry)
        .filter(({ isDocumented }) => !isDocumented)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  test('needs no types of the packages that it is built on', () => {
    const reached = new Set<string>();
    const walk = (file: ts.SourceFile): void => {
      for (const statement of declarationsOf(file)) {
        const specifier = (statement as Partial<ts.ImportDeclaration>).moduleSpecifier;
        if (!specifier || !ts.isStringLiteral(specifier)) continue;
        const target = specifier.text.startsWith('.')
          ? program.getSourceFile(`${resolve(dirname(file.fileName), specifier.text)}.ts`)
          : undefined;
        const key = target ? relative(repository, target.fileName) : specifier.text;
        if (reached.has(key)) continue;
        reached.add(key);
        if (target) walk(target);
      }
    };
    walk(sourceOf(entry));
    const packages = [...reached].filter((each) => !each.endsWith('.ts') && !each.startsWith('node:'));
    expect(packages).toEqual([]);
  });
});

test('the examples in docs/testing-a-driver.md compile against the public types', () => {
  expect(examples.size).toBeGreaterThan(2);
  const errors = [...examples.keys()].flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)));
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});
