import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Store } from './store';

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

/** The page's one store, and a new look at it whenever it has something new. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('no store');
  const [, look] = useState(0);
  useEffect(() => store.watch(() => look((count) => count + 1)), [store]);
  return store;
}
