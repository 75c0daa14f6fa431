import { holdAsync, MANY } from './hold';
import { checkList, toolLists } from './tool-lists';

test('whatever a tool server lists, a model sees functions that every vendor takes', async () => {
  await holdAsync(toolLists, MANY, checkList);
});
