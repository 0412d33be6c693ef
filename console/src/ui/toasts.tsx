import { lazy, Suspense, useSyncExternalStore } from 'react';

export interface Notice {
  title: string;
  tone: 'good' | 'bad';
  /** What a press on its button does, such as taking back what was done. */
  action?: { label: string; onPress: () => void } | undefined;
}

/** Loaded with the first notice: most visits have none. */
const ToastList = lazy(() => import('./toast-list'));

const waiting: Notice[] = [];
const listeners = new Set<() => void>();
let hasNoticed = false;

/** Says for a few seconds that something was done, or was not. */
export function notify(title: string, tone: Notice['tone'] = 'good', action?: Notice['action']): void {
  waiting.push({ title, tone, action });
  hasNoticed = true;
  for (const listener of listeners) listener();
}

/** @returns what was not shown yet */
export function takeNotices(): Notice[] {
  return waiting.splice(0);
}

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where they appear. */
export function Toasts() {
  const isNeeded = useSyncExternalStore(listen, () => hasNoticed);
  return isNeeded ? (
    <Suspense>
      <ToastList />
    </Suspense>
  ) : null;
}
