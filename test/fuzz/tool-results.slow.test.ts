import { hold, MANY } from './hold';
import { checkResult, toolResults } from './tool-results';

test('whatever a tool server answers, a model gets texts and images', () => {
  hold(toolResults, MANY, checkResult);
});
