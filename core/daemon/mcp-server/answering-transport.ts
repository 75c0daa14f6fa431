import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';

/** As the Language Server Protocol has it; MCP has no number for this. */
const CANCELLED = -32_800;

type OnMessage = NonNullable<StreamableHTTPServerTransport['onmessage']>;

/**
 * Answers cancelled requests, too. The SDK answers none, and ends the body of a POST when each request in it has an answer: a
 * client that reads the body to its end would wait for ever.
 */
export class AnsweringTransport extends StreamableHTTPServerTransport {
  private readonly waiting = new Set<RequestId>();

  override get onmessage(): OnMessage | undefined {
    return super.onmessage;
  }

  override set onmessage(take: OnMessage | undefined) {
    super.onmessage =
      take &&
      ((message, extra) => {
        if ('method' in message && 'id' in message) this.waiting.add(message.id);
        take(message, extra);
        if ('method' in message && message.method === 'notifications/cancelled') {
          // The SDK looks at it as late as this, when the requests that stand behind it in a batch have begun.
          queueMicrotask(() => this.cancel(message.params?.requestId as RequestId));
        }
      });
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isAnswer = !('method' in message);
    if (isAnswer && !this.waiting.delete(message.id as RequestId)) return;
    await super.send(message, options);
  }

  private cancel(id: RequestId): void {
    if (!this.waiting.has(id)) return;
    const error = { code: CANCELLED, message: 'the client cancelled this request' };
    // It throws where the client has closed the body.
    this.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  }
}
