import { Lexer, LineCounter, parseDocument, stringify, type YAMLError } from 'yaml';
import type { Position, Problem } from '../errors';
import { MAXIMUM_DEPTH, TOO_DEEP, toLocated } from './to-located';
import type { Located } from './located';

/** A hundred times more than a long configuration has. The parser needs seconds for more tokens. */
const MAXIMUM_TOKENS = 250_000;

/** The first problem is usually the cause of the others, so a longer list does not help. */
const MAXIMUM_PROBLEMS = 50;

/** The marks that Git leaves in a file with a merge conflict. */
const CONFLICT = /^(?:<{7}|>{7}) /m;

/** A text in quotes, which stays, or a comment of JSON. Behind a colon `//` belongs to an address without quotes. */
const TEXT_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"|(?<=^|[\s,{}[\]"])\/(?:\/.*|\*[^]*?(?:\*\/|$))/g;

/**
 * Parses a YAML text, or a JSON text, which is one; editors allow comments in JSON. An empty text is an empty map. The root is
 * absent when the syntax is broken.
 */
export function parseYaml(file: string, content: string): { root?: Located; problems: Problem[] } {
  const text = file.endsWith('.json') ? content.replace(TEXT_OR_COMMENT, blankComment) : content;
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const excess = findExcess(text);
  if (excess) return { problems: [{ message: excess, place: { file } }] };
  const document = parseDocument(text, {
    lineCounter: lines,
    // A pretty error quotes the line, which may contain a key.
    prettyErrors: false,
    stringKeys: true,
    // The parser compares each key with all others. toLocated finds duplicates in one pass.
    uniqueKeys: false,
    // A %YAML directive in the file must not switch to the rules of 1.1, where `no` is false.
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const errors = [...document.errors, ...document.warnings];
  const conflict = errors.length > 0 ? CONFLICT.exec(text)?.index : undefined;
  if (conflict !== undefined)
    return { problems: [{ message: 'found the marks of a merge conflict', place: at(conflict) }] };
  if (errors.length > 0) return { problems: explainAll(errors, file.endsWith('.json') ? 'JSON' : 'YAML', at) };
  return toLocated(document.contents, at);
}

/** Keeps the places of everything else. */
function blankComment(found: string): string {
  return found.startsWith('"') ? found : found.replace(/[^\n]/g, ' ');
}

/**
 * Counts the brackets before the parser sees the text. The parser is recursive: it needs gigabytes for a megabyte of
 * opening brackets and ends the process. The lexer is not recursive.
 */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let tokens = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (!isScalar && (token === '[' || token === '{')) depth += 1;
    if (!isScalar && (token === ']' || token === '}')) depth -= 1;
    if (depth > MAXIMUM_DEPTH) return TOO_DEEP;
    if (tokens > MAXIMUM_TOKENS) return `more than ${MAXIMUM_TOKENS} YAML tokens`;
    isScalar = token === SCALAR_FOLLOWS;
  }
  return undefined;
}

/** The mark of the lexer before the text of a scalar. */
const SCALAR_FOLLOWS = '\x1f';

/** A value on one line, as in a flow collection. */
export function yamlValue(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, defaultStringType: 'PLAIN' })
    .trimEnd()
    .replace(/\s*\n\s*/g, ' ');
}

/** What the name of the file says that it is. */
type Format = 'YAML' | 'JSON';

function explainAll(errors: YAMLError[], format: Format, at: (offset: number) => Position): Problem[] {
  const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  const relevant = tooDeep ? [tooDeep] : [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  // A line that is indented too far goes on with the value above it, and the parser takes the whole for a key.
  const spread = new Map(errors.filter(({ code }) => code === 'MULTILINE_IMPLICIT_KEY').map(({ pos }) => pos));
  const all: Problem[] = [];
  const seen = new Set<string>();
  for (const error of relevant) {
    const start = at(error.pos[0]);
    const end = error.code === 'BLOCK_AS_IMPLICIT_KEY' ? spread.get(error.pos[0]) : undefined;
    const place = end === undefined ? start : { ...at(end), column: 1 };
    const message = explain(error, format, end !== undefined);
    // The parser may report one fault several times at a place or in a line. The first report names the cause.
    const marks = [`${start.line}:${start.column}`, `${place.line} ${message}`];
    if (!marks.some((mark) => seen.has(mark))) all.push({ message, place });
    marks.forEach((mark) => seen.add(mark));
  }
  const rest = all[MAXIMUM_PROBLEMS];
  if (!rest) return all;
  const message = `${all.length - MAXIMUM_PROBLEMS} more places that are not valid ${format}`;
  return [...all.slice(0, MAXIMUM_PROBLEMS), { ...rest, message }];
}

function explain({ code, message }: YAMLError, format: Format, isSpread: boolean): string {
  if (code === 'MULTIPLE_DOCS' && format === 'YAML') return 'found a second YAML document ("---"), expected one';
  if (code === 'NON_STRING_KEY') return 'found a list, a map or an alias as a key, expected a text';
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  if (code === 'TAG_RESOLVE_FAILED') return `found a tag (!...), expected plain ${format}`;
  if (isSpread || /^(?:A block|Sequence item without)/.test(message))
    return `not valid ${format}: the line is indented too far, or not far enough`;
  if (code === 'BLOCK_AS_IMPLICIT_KEY')
    return `not valid ${format}: found ": " inside of a value, expected it in quotes`;
  const closing = /^Flow .* end with a ([\]}])$/.exec(message)?.[1];
  if (closing !== undefined) {
    const other = format === 'YAML' ? ', or it is not indented' : '';
    return `not valid ${format}: found no closing ${closing}${other}`;
  }
  // After the colon, these messages quote the text, which may contain a key.
  const quotes = code === 'UNEXPECTED_TOKEN' || code === 'BAD_DIRECTIVE';
  const escape = code === 'BAD_DQ_ESCAPE' && 'Invalid escape sequence';
  return `not valid ${format}: ${escape || (quotes ? message.replace(/: .*/s, '') : message)}`;
}
