import { checkConfiguration, configurations } from './configurations';
import { hold, holdAsync } from './hold';
import { checkRun, programReaders, runs } from './program-lines';
import { bodies, checkBody, formAt } from './request-bodies';
import { requestSamples } from './request-samples';
import { checkList, toolLists } from './tool-lists';
import { checkResult, toolResults } from './tool-results';
import { checkSplits, parsers, splitStreams } from './split-streams';

// A few of the cases that the slow files beside this one have by the hundred thousand.
const FEW = 200;

test.each(Object.keys(requestSamples))('every body at %s is read, or refused in the words of its wire', (path) => {
  const at = formAt(path);
  hold(bodies(path), FEW, (body) => checkBody(at, body));
});

test.each(['sse', 'lines'] as const)('a stream of %s means the same wherever it is cut', (kind) => {
  hold(splitStreams(kind), FEW, (stream) => checkSplits(parsers[kind], stream));
});

test.each(Object.entries(programReaders))('%s takes whatever its program prints', (_name, { make, lines }) => {
  hold(runs(lines()), FEW, (run) => checkRun(make(), run));
});

test('a configuration is read, or its problems are told', () => {
  hold(configurations, FEW, checkConfiguration);
});

test('whatever a tool server answers, a model gets texts and images', () => {
  hold(toolResults, FEW, checkResult);
});

test('whatever a tool server lists, a model sees functions that every vendor takes', async () => {
  await holdAsync(toolLists, FEW, checkList);
});
