import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useSignedIn } from '../../api/me';
import { useRead } from '../../api/queries';
import { t } from '../../messages/text';
import { Button, buttonClass } from '../../ui/button';
import { Grid, Section, Stack } from '../../ui/layout';
import { type ListedServer, ListingCard } from '../../ui/listing-card';
import { shown } from '../../ui/other-text';
import { Empty, Loaded } from '../../ui/problem';
import { Screen } from '../../ui/screen';
import { FeedPart } from './feed-part';
import styles from './home.module.css';
import { WaitingPart } from './waiting-part';

/** Where a person begins: a search, what waits for them, and what is new. */
export function HomeScreen() {
  const me = useSignedIn();
  const highlights = useRead('GET /v1/mcp/listings/highlights', {});
  return (
    <Screen title={t.home.title} heading={t.home.greeting(shown(me.name ?? me.email))}>
      <SearchForm />
      <div className={styles.columns}>
        <WaitingPart />
        <FeedPart />
      </div>
      <Loaded read={highlights} lines={8}>
        {({ of_my_organisations: ofMine, newest }) => (
          <Stack gap="wide">
            {ofMine.length > 0 && <Servers title={t.home.ofMine} listings={ofMine} />}
            <Servers title={t.home.newest} listings={newest} />
          </Stack>
        )}
      </Loaded>
    </Screen>
  );
}

function SearchForm() {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const search = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: '/catalogue', search: { q: text.trim() } });
  };
  return (
    <search className={styles.search}>
      <form className={styles.form} onSubmit={search}>
        <input
          type="search"
          aria-label={t.home.searchLabel}
          placeholder={t.home.searchHint}
          value={text}
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" look="primary" icon="search">
          {t.home.search}
        </Button>
      </form>
    </search>
  );
}

function Servers({ title, listings }: { title: string; listings: readonly ListedServer[] }) {
  const all = (
    <Link to="/catalogue" className={buttonClass('plain')}>
      {t.home.allServers}
    </Link>
  );
  return (
    <Section title={title} aside={all}>
      {listings.length === 0 ? (
        <Empty>
          <p>{t.home.noServers}</p>
          <p>{t.home.noServersHelp}</p>
        </Empty>
      ) : (
        <Grid>
          {listings.map((listing) => (
            <ListingCard key={listing.id} listing={listing} />
          ))}
        </Grid>
      )}
    </Section>
  );
}
