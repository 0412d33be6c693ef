import { useEffect, useRef, useState } from 'react';

/** How long after the last key a search begins. */
const PAUSE_MS = 150;

/**
 * What is typed into a search, which the address keeps when a person pauses, and which follows the address.
 *
 * @param value what the address says
 * @param onChange puts other words into the address
 * @returns what the field shows, and what takes a key
 */
export function useTyped(value: string, onChange: (value: string) => void) {
  const [typed, setTyped] = useState(value);
  const [former, setFormer] = useState(value);
  // The address has changed in another way, such as by the button Back.
  if (value !== former) {
    setFormer(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => latest.current(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return [typed, setTyped] as const;
}
