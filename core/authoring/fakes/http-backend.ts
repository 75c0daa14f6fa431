import type { Ability, Backend, ScriptedAnswer } from './backend';
import type { ScriptedFailure, ScriptedVectors, Situation, UnderstoodChat } from './backend';
import { FakeHttpServer, type HttpRequestRecord } from './fake-http-server';
import { cutLimit } from './cut-limit';
import { CUT, type HttpAnswer, type HttpPiece, isBody, raw, STALL } from './http-answer';
import { toBytes } from './play-answer';
import { BASE_PATH } from './requests';
import { cannotOf, Script } from './script';

/** The wire format of a server: translates between the kit's neutral forms and HTTP. */
export interface HttpWire {
  /** Provider options that lead the driver to the server. `url` is its address without a trailing slash. */
  options(url: string): Record<string, unknown>;
  /** Translates an answer. The request says whether it is streamed, with one element of `pieces` per event. */
  answer(answer: ScriptedAnswer, request: HttpRequestRecord): HttpAnswer;
  /** Translates a failure, usually with its `status`. */
  failure(failure: ScriptedFailure, request: HttpRequestRecord): HttpAnswer;
  /** How a stream that has begun tells a failure, as by one more event. Without it the case about that is excluded. */
  interruption?(failure: ScriptedFailure, request: HttpRequestRecord): HttpPiece[];
  /** Reads a chat request. */
  received(request: HttpRequestRecord): UnderstoodChat;
  /** The answer to a request that is no chat, for example a model list. Undefined for a chat. Default: all are chats. */
  probe?(request: HttpRequestRecord): HttpAnswer | undefined;
  /** Translates an answer to a request for embeddings. Without it the cases of embeddings are excluded. */
  vectors?(answer: ScriptedVectors, request: HttpRequestRecord): HttpAnswer;
  /** A token that `probe` gives the driver. Without it the case about tokens is excluded. */
  token?: string;
  /** See `Backend`. */
  cannot?: Partial<Record<Ability, string>>;
}

/** A backend on a fake HTTP server. The kit itself makes hanging, cut, split, invalid and missing answers. */
export function httpBackend(wire: HttpWire): Backend {
  return {
    cannot: {
      ...(!wire.interruption && { interruption: 'its wire has no `interruption`' }),
      ...cannotOf(wire),
    },
    async start() {
      const server = await FakeHttpServer.start();
      const script = new Script();
      server.answer((request) => respond(wire, script, request));
      return script.run({
        token: wire.token,
        options: wire.options(server.url),
        atWork: () => Array.from({ length: server.openStreams }, () => 'a connection whose answer is not finished'),
        open: () => Array.from({ length: server.openConnections }, () => 'a connection'),
        close: () => server.close(),
        vanish: () => server.close(),
      });
    },
  };
}

function respond(wire: HttpWire, script: Script, { path, ...rest }: HttpRequestRecord): HttpAnswer {
  const request = { ...rest, path: path.startsWith(`${BASE_PATH}/`) ? path.slice(BASE_PATH.length) : path };
  const probe = wire.probe?.(request);
  if (!probe) {
    const raw = [path, JSON.stringify(rest.headers), rest.text].join('\n');
    const contentType = rest.text === '' ? undefined : (rest.headers['content-type'] ?? '');
    return play(wire, script.situationFor({ ...wire.received(request), raw, contentType }), request);
  }
  const { ofProbes } = script;
  if (ofProbes?.type === 'hang') return raw([STALL]);
  return ofProbes?.type === 'failure' ? play(wire, ofProbes, request) : probe;
}

function play(wire: HttpWire, situation: Situation, request: HttpRequestRecord): HttpAnswer {
  switch (situation.type) {
    case 'answer': {
      const { split, hold, lineEnds } = situation;
      const written = wire.answer(situation.answer, request);
      const answer = lineEnds ? withCrLf(written) : written;
      if (hold) void answer.pieces.splice(-1, 0, hold);
      return { ...answer, split: split ?? answer.split };
    }
    case 'vectors':
      return wire.vectors!(situation, request);
    case 'failure': {
      if (situation.after) {
        const begun = half(wire, situation.after, request, undefined, true);
        return { ...begun, pieces: [...begun.pieces, ...wire.interruption!(situation, request)] };
      }
      const answer = wire.failure(situation, request);
      return situation.status === 429 ? withHeader(answer, 'retry-after', '7') : answer;
    }
    case 'hang':
      if (!situation.after) return raw([STALL]);
      return half(wire, situation.after, request, STALL);
    case 'cut':
      return half(wire, situation.answer, request, situation.reset ? CUT : undefined, situation.between);
    case 'garbage':
      return { ...wire.answer({ ...NOTHING }, request), pieces: ['data: <<<this is no answer>>>\n\n'] };
    case 'absent':
      return raw([CUT]);
  }
}

const NOTHING: ScriptedAnswer = { pieces: [''], usage: { inputTokens: 1, outputTokens: 1 }, finish: 'stop' };

function withHeader(answer: HttpAnswer, name: string, value: string): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}

/** The same stream in another spelling of its standard. Other bodies stay as they are. The pieces may end anywhere. */
function withCrLf(answer: HttpAnswer): HttpAnswer {
  const type = answer.headers?.['content-type'] ?? '';
  const isEvents = type.startsWith('text/event-stream');
  if (!isEvents && !type.includes('ndjson')) return answer;
  const respell = (piece: HttpPiece): HttpPiece => {
    if (!isBody(piece)) return piece;
    const lines = Buffer.from(toBytes(piece)).toString('latin1').replaceAll('\r\n', '\n');
    // Of two spaces behind the colon the second one is a part of the text.
    const events = () => lines.replace(/^data: (?=[^ ])/gm, 'data:').replaceAll('\n\n', '\n\n: keep-alive\n\n');
    return Buffer.from((isEvents ? events() : lines).replaceAll('\n', '\r\n'), 'latin1');
  };
  return { ...answer, pieces: answer.pieces.map(respell) };
}

/** The first half of the pieces, or of the bytes, up to the limit, then the fault, or a clean end. */
function half(
  wire: HttpWire,
  scripted: ScriptedAnswer,
  request: HttpRequestRecord,
  fault: HttpPiece | undefined,
  between = false,
): HttpAnswer {
  const piecesOf = ({ pieces }: HttpAnswer) => pieces.filter(isBody).map(toBytes);
  const limit = cutLimit(scripted, (each) => Buffer.concat(piecesOf(wire.answer(each, request))));
  const answer = wire.answer(scripted, request);
  const pieces = piecesOf(answer);
  const bytes = Buffer.concat(pieces);
  const ends = pieces.map((_, index) => Buffer.concat(pieces.slice(0, index + 1)).length);
  const end = ends.slice(0, Math.ceil(pieces.length / 2)).findLast((each) => each <= limit && each < bytes.length);
  const first = bytes.subarray(0, between && end !== undefined ? end : Math.min(Math.ceil(bytes.length / 2), limit));
  return { ...answer, pieces: fault === undefined ? [first] : [first, fault] };
}
