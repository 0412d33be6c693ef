import { useEffect, useState } from 'react';
import { useRead } from '../../api/queries';
import { recentFor } from './recent-for';

/** Reads whether the person signed in just now, and notices when that is over. */
export function useRecentSignIn() {
  const read = useRead('GET /v1/session', {});
  const [now, setNow] = useState(() => Date.now());
  const left = read.data ? recentFor(read.data.signed_in_at, now) : 0;
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), left);
    return () => clearTimeout(timer);
  }, [left]);
  return { read, isRecent: left > 0 };
}
