import { useCallback, useEffect, useState } from 'react';

const PREFIX = 'toolyard.draft.';

/** The forms that are open; a form that was closed keeps its draft, and holds up nothing. */
const open = new Map<string, number>();

const keyOf = (name: string): string => PREFIX + name;

/**
 * What a person has typed, kept in this tab until it is sent: a reload or a sign-in in between loses nothing. Never for
 * secrets.
 *
 * @param name of the form, with the id of what it changes
 */
export function useDraft<Value>(name: string, initial: Value): [Value, (value: Value) => void, () => void] {
  const key = keyOf(name);
  const [value, setValue] = useState<Value>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? initial : (JSON.parse(kept) as Value);
  });
  useEffect(() => {
    open.set(key, (open.get(key) ?? 0) + 1);
    return () => void open.set(key, (open.get(key) ?? 1) - 1);
  }, [key]);
  const keep = useCallback(
    (next: Value) => {
      sessionStorage.setItem(key, JSON.stringify(next));
      setValue(next);
    },
    [key],
  );
  const drop = useCallback(() => {
    sessionStorage.removeItem(key);
    setValue(initial);
  }, [key, initial]);
  return [value, keep, drop];
}

/** @returns whether something was typed into this form that was not sent, so that it is opened again */
export function hasDraft(name: string): boolean {
  return sessionStorage.getItem(keyOf(name)) !== null;
}

/** @returns whether something was typed into an open form that was not sent */
export function hasDrafts(): boolean {
  return [...open].some(([key, forms]) => forms > 0 && sessionStorage.getItem(key) !== null);
}
