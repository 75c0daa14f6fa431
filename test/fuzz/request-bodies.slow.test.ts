import { hold, MANY } from './hold';
import { bodies, checkBody, formAt } from './request-bodies';
import { requestSamples } from './request-samples';

test.each(Object.keys(requestSamples))('every body at %s is read, or refused in the words of its wire', (path) => {
  const at = formAt(path);
  hold(bodies(path), MANY, (body) => checkBody(at, body));
});
