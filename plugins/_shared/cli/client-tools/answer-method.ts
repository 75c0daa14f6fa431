import { type Fields, fieldsOf, spelled } from '../../fields';

const NO_METHOD = -32601;

/** What a server of tools answers to a request of the Model Context Protocol that is no call. */
export function answerMethod({ method, params }: Fields, name: string, tools: readonly Fields[]): Fields {
  switch (method) {
    case 'initialize': {
      const { protocolVersion } = fieldsOf(params);
      return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name, version: '1' } } };
    }
    case 'tools/list':
      return { result: { tools } };
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: NO_METHOD, message: `no method ${spelled(method)}` } };
  }
}
