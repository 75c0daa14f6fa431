import type { Ability, Backend, ReceivedChat, ScriptedAnswer } from './backend';
import type { ScriptedFailure, Situation, UnderstoodChat } from './backend';
import { FakeHttpServer, type HttpRequestRecord } from './fake-http-server';
import { CUT, type HttpAnswer, raw, STALL } from './http-answer';
import { toBytes } from './play-answer';
import { ScriptedBackend } from './scripted-backend';

/** The wire format of a server: translates between the kit's neutral forms and HTTP. */
export interface HttpWire {
  /** Provider options that lead the driver to the server. `url` is its address without a trailing slash. */
  options(url: string): Record<string, unknown>;
  /** Translates an answer. The request says whether it is streamed, with one element of `pieces` per event. */
  answer(answer: ScriptedAnswer, request: HttpRequestRecord): HttpAnswer;
  /** Translates a failure, usually with its `status`. */
  failure(failure: ScriptedFailure, request: HttpRequestRecord): HttpAnswer;
  /** Reads a chat request. */
  received(request: HttpRequestRecord): UnderstoodChat;
  /** The answer to a request that is no chat, for example a model list. Undefined for a chat. Default: all are chats. */
  probe?(request: HttpRequestRecord): HttpAnswer | undefined;
  /** See `Backend`. */
  cannot?: Partial<Record<Ability, string>>;
}

/** A backend on a fake HTTP server. The kit itself makes hanging, cut, split, invalid and missing answers. */
export function httpBackend(wire: HttpWire): Backend {
  return { cannot: wire.cannot, start: async () => new RunningHttpBackend(wire, await FakeHttpServer.start()) };
}

class RunningHttpBackend extends ScriptedBackend {
  readonly options: Record<string, unknown>;

  constructor(
    private readonly wire: HttpWire,
    private readonly server: FakeHttpServer,
  ) {
    super();
    this.options = wire.options(server.url);
    server.answer((request) => this.respond(request));
  }

  atWork(): string[] {
    return Array.from({ length: this.server.openStreams }, () => 'a connection whose answer is not finished');
  }

  open(): string[] {
    return Array.from({ length: this.server.openConnections }, () => 'a connection');
  }

  close(): Promise<void> {
    return this.server.close();
  }

  protected vanish(): Promise<void> {
    return this.server.close();
  }

  private respond(request: HttpRequestRecord): HttpAnswer {
    const probe = this.wire.probe?.(request);
    if (probe) return this.respondToProbe(probe, request);
    const chat: ReceivedChat = { ...this.wire.received(request), raw: rawOf(request) };
    return this.play(this.situationFor(chat), request);
  }

  private respondToProbe(probe: HttpAnswer, request: HttpRequestRecord): HttpAnswer {
    if (typeof this.next !== 'object') return probe;
    if (this.next.type === 'hang') return raw([STALL]);
    return this.next.type === 'failure' ? this.play(this.next, request) : probe;
  }

  private play(situation: Situation, request: HttpRequestRecord): HttpAnswer {
    const { wire } = this;
    switch (situation.type) {
      case 'answer': {
        const { split, hold } = situation;
        const answer = wire.answer(situation.answer, request);
        if (hold) void answer.pieces.splice(-1, 0, hold);
        return { ...answer, split: split ?? answer.split };
      }
      case 'failure': {
        const answer = wire.failure(situation, request);
        return situation.status === 429 ? withHeader(answer, 'retry-after', '7') : answer;
      }
      case 'hang':
        if (!situation.after) return raw([STALL]);
        return half(wire.answer(situation.after, request), STALL);
      case 'cut':
        return half(wire.answer(situation.answer, request), situation.reset ? CUT : undefined);
      case 'garbage':
        return { ...wire.answer({ ...NOTHING }, request), pieces: ['data: <<<this is no answer>>>\n\n'] };
      case 'absent':
        return raw([CUT]);
    }
  }
}

const NOTHING: ScriptedAnswer = { pieces: [''], usage: { inputTokens: 1, outputTokens: 1 }, finish: 'stop' };

function withHeader(answer: HttpAnswer, name: string, value: string): HttpAnswer {
  return { ...answer, headers: { ...answer.headers, [name]: value } };
}

/** The first half of the bytes, then the fault, or a clean end. */
function half(answer: HttpAnswer, fault: object | undefined): HttpAnswer {
  const bytes = Buffer.concat(answer.pieces.map((piece) => toBytes(piece as object | string)));
  const first = bytes.subarray(0, Math.ceil(bytes.length / 2));
  return { ...answer, pieces: fault ? [first, fault] : [first] };
}

function rawOf({ path, headers, text }: HttpRequestRecord): string {
  return [path, JSON.stringify(headers), text].join('\n');
}
