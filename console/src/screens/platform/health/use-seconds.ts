import { useEffect, useState } from 'react';

const SECOND_MS = 1_000;

/** @returns the time, which goes on each second, so that ages on the page stay true */
export function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
