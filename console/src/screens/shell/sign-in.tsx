import { useEffect } from 'react';
import { signInAddress, Skeleton } from '../../ui/problem';

/** Sends people whose session has ended to the page where they sign in; they come back to the same address. */
export function SignIn() {
  useEffect(() => window.location.replace(signInAddress()), []);
  return <Skeleton />;
}
