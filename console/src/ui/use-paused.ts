import { useEffect, useState } from 'react';

/** @returns the value as it was when it last rested for so long, in milliseconds */
export function usePaused<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}
