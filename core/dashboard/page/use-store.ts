import { createContext } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Store } from './store';

const StoreContext = createContext<Store | undefined>(undefined);

export const StoreProvider = StoreContext.Provider;

/** The page's one store, and a new look at it whenever it has something new. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('no store');
  const [, look] = useState(store.version);
  useLayoutEffect(() => {
    const follow = () => look(store.version);
    // It may have changed since the first look.
    follow();
    return store.watch(follow);
  }, [store]);
  return store;
}
