import { lazy, Suspense } from 'react';
import type { ListingDetail } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Facts, Quiet, Section, Stack } from '../../ui/layout';
import { OtherLink, OtherText, shown } from '../../ui/other-text';
import { Skeleton } from '../../ui/problem';
import { When } from '../../ui/when';
import { Allowances } from './allowances';
import { repositoryOf } from './server-document';
import styles from './server.module.css';
import { words } from './words';

const Markdown = lazy(async () => ({ default: (await import('../../ui/markdown')).Markdown }));

/** Whether it is allowed here, and what its publisher says about it. */
export function AboutTab({ listing }: { listing: ListingDetail }) {
  return (
    <Stack gap="wide">
      {listing.status !== 'ARCHIVED' && <Allowances listing={listing} />}
      <div className={styles.about}>
        {listing.documentation ? (
          <Section title={words.about.documentation}>
            <Quiet>
              <OtherText>{listing.description}</OtherText>
            </Quiet>
            <Suspense fallback={<Skeleton lines={6} />}>
              <Markdown text={listing.documentation} />
            </Suspense>
          </Section>
        ) : (
          <Section title={words.about.description}>
            <p className={styles.text}>
              <OtherText>{listing.description}</OtherText>
            </p>
            <Quiet>{words.about.noDocumentation}</Quiet>
          </Section>
        )}
        <ServerFacts listing={listing} />
      </div>
    </Stack>
  );
}

function ServerFacts({ listing }: { listing: ListingDetail }) {
  const repository = repositoryOf(listing.repository);
  const texts = (values: readonly string[]) => (values.length > 0 ? listOf(values.map(shown)) : undefined);
  return (
    <div className={styles.facts}>
      <Section title={words.about.facts}>
        <Facts
          facts={[
            [words.about.website, listing.website_url && <OtherLink address={listing.website_url} />],
            [
              words.about.repository,
              repository.url && (
                <>
                  <OtherLink address={repository.url} />
                  {repository.subfolder && <Quiet> {words.about.folder(shown(repository.subfolder))}</Quiet>}
                </>
              ),
            ],
            [words.about.transports, texts(listing.transports)],
            [words.about.registries, texts(listing.registry_types)],
            [words.about.published, listing.published_at && <When at={listing.published_at} />],
            [words.about.updated, <When key="updated" at={listing.updated_at} />],
          ]}
        />
      </Section>
    </div>
  );
}
