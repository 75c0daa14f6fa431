import { hold, MANY } from './hold';
import { checkSplits, parsers, splitStreams } from './split-streams';

test.each(['sse', 'lines'] as const)('a stream of %s means the same wherever it is cut, also at every byte', (kind) => {
  hold(splitStreams(kind), MANY, (stream) => checkSplits(parsers[kind], stream));
});
