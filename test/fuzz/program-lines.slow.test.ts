import { hold, MANY } from './hold';
import { checkRun, programReaders, runs } from './program-lines';

test.each(Object.entries(programReaders))('%s takes whatever its program prints', (_name, { make, lines }) => {
  hold(runs(lines()), MANY, (run) => checkRun(make(), run));
});
