import { useState } from 'react';
import { shown } from './other-text';
import styles from './server-icon.module.css';

interface ServerIconProps {
  listing: { id: string; title: string; has_icon: boolean };
}

/** The icon of a listing, as this server has checked it; the first letter of its title if it has none. */
export function ServerIcon({ listing }: ServerIconProps) {
  const [failed, setFailed] = useState(false);
  const letter = Array.from(shown(listing.title))[0]?.toLocaleUpperCase();
  return (
    <span className={styles.icon} aria-hidden="true">
      {listing.has_icon && !failed ? (
        <img
          src={`/v1/mcp/listings/${listing.id}/icon`}
          alt=""
          loading="lazy"
          width={40}
          height={40}
          onError={() => setFailed(true)}
        />
      ) : (
        letter
      )}
    </span>
  );
}
