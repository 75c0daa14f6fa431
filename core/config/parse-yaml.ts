import { Lexer, LineCounter, parseDocument, type YAMLError } from 'yaml';
import type { Position, Problem } from '../errors';
import { MAXIMUM_DEPTH, toLocated } from './to-located';
import type { Located } from './located';

/** Some hundred times what a long configuration has; the parser takes seconds from here on. */
const MAXIMUM_TOKENS = 250_000;

/** More would bury the first one, which is usually the cause of the others. */
const MAXIMUM_PROBLEMS = 50;

/** Parses a YAML text. An empty one is an empty map. The root is absent where the syntax is broken. */
export function parseYaml(file: string, text: string): { root?: Located; problems: Problem[] } {
  const lines = new LineCounter();
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const excess = findExcess(text);
  if (excess) return { problems: [{ message: excess, place: { file } }] };
  const document = parseDocument(text, {
    lineCounter: lines,
    // A pretty error quotes the line, and the line may hold a key.
    prettyErrors: false,
    stringKeys: true,
    // The parser compares every key with every other; toLocated finds duplicates in one pass.
    uniqueKeys: false,
    // A %YAML directive in the file must not switch to the rules of 1.1, where `no` is false.
    schema: 'core',
    merge: false,
    resolveKnownTags: false,
    logLevel: 'error',
  });
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return { problems: explainAll(errors, at) };
  return toLocated(document.contents, at);
}

/**
 * The lexer is not recursive. The parser is: it needs gigabytes for a megabyte of opening brackets, and ends the whole
 * process. So brackets are counted before it sees the text.
 */
function findExcess(text: string): string | undefined {
  let depth = 0;
  let tokens = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    tokens += 1;
    if (!isScalar && (token === '[' || token === '{')) depth += 1;
    if (!isScalar && (token === ']' || token === '}')) depth -= 1;
    if (depth > MAXIMUM_DEPTH) return `nested deeper than ${MAXIMUM_DEPTH} levels`;
    if (tokens > MAXIMUM_TOKENS) return `more than ${MAXIMUM_TOKENS} YAML tokens`;
    isScalar = token === SCALAR_FOLLOWS;
  }
  return undefined;
}

/** The lexer's mark before the text of a scalar. */
const SCALAR_FOLLOWS = '\x1f';

function explainAll(errors: YAMLError[], at: (offset: number) => Position): Problem[] {
  const tooDeep = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  const relevant = tooDeep ? [tooDeep] : [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const all: Problem[] = [];
  const seen = new Set<string>();
  for (const error of relevant) {
    const place = at(error.pos[0]);
    const message = explain(error);
    // The parser may say several things of one place, and one thing of several places in a line: the first is the cause.
    const marks = [`${place.line}:${place.column}`, `${place.line} ${message}`];
    if (!marks.some((mark) => seen.has(mark))) all.push({ message, place });
    marks.forEach((mark) => seen.add(mark));
  }
  const rest = all[MAXIMUM_PROBLEMS];
  if (!rest) return all;
  const message = `${all.length - MAXIMUM_PROBLEMS} more places that are not valid YAML`;
  return [...all.slice(0, MAXIMUM_PROBLEMS), { ...rest, message }];
}

function explain({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'found a second YAML document ("---"), expected one';
  if (code === 'NON_STRING_KEY') return 'found a list, a map or an alias as a key, expected a text';
  if (code === 'RESOURCE_EXHAUSTION') return `nested deeper than ${MAXIMUM_DEPTH} levels`;
  if (code === 'TAG_RESOLVE_FAILED') return 'found a tag (!...), expected plain YAML';
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return 'not valid YAML: found ": " inside of a value, expected it in quotes';
  const closing = /^Flow .* end with a ([\]}])$/.exec(message)?.[1];
  if (closing !== undefined) return `not valid YAML: found no closing ${closing}, or it is not indented`;
  // Behind the colon these quote the text that was found.
  const quotes = code === 'UNEXPECTED_TOKEN' || code === 'BAD_DIRECTIVE' || code === 'BAD_DQ_ESCAPE';
  const harmless =
    code === 'BAD_DQ_ESCAPE' ? 'Invalid escape sequence' : quotes ? message.replace(/: .*/s, '') : message;
  return `not valid YAML: ${harmless}`;
}
