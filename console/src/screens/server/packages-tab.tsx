import type { ReactNode } from 'react';
import { useList, useRead } from '../../api/queries';
import type { ListingDetail } from '../../api/schema';
import { SelectInput } from '../../ui/field';
import { Card, Facts, Quiet, Section, Stack } from '../../ui/layout';
import { OtherLink, OtherText, shown } from '../../ui/other-text';
import { Empty, Loaded } from '../../ui/problem';
import { InputTable } from './input-table';
import { packagePage, packagesOf, remotesOf, type ServerPackage, type ServerTransport } from './server-document';
import { serverRoute } from './server-route';
import styles from './server.module.css';
import { words } from './words';

/** What a client can run or reach, and what each way needs; of any version. */
export function PackagesTab({ listing }: { listing: ListingDetail }) {
  const { version = listing.version } = serverRoute.useSearch();
  const navigate = serverRoute.useNavigate();
  const versions = useList('GET /v1/mcp/listings/{listing_id}/versions', { path: { listing_id: listing.id } });
  const isLatest = version === listing.version;
  const read = useRead(
    'GET /v1/mcp/listings/{listing_id}/versions/{version}',
    { path: { listing_id: listing.id, version } },
    { enabled: !isLatest },
  );
  const options = [...new Set([listing.version, version, ...versions.items.map((one) => one.version)])];
  return (
    <Stack gap="wide">
      {options.length > 1 && (
        <div className={styles.narrow}>
          <SelectInput
            label={words.packages.showing}
            value={version}
            options={options.map((option) => [option, shown(option)] as const)}
            onChange={(event) =>
              void navigate({
                search: { tab: 'packages', version: event.target.value },
                replace: true,
                resetScroll: false,
              })
            }
          />
        </div>
      )}
      {isLatest ? (
        <Ways server={listing.server} />
      ) : (
        <Loaded read={read}>{({ server }) => <Ways server={server} />}</Loaded>
      )}
    </Stack>
  );
}

function Ways({ server }: { server: Record<string, unknown> }) {
  const [packages, remotes] = [packagesOf(server), remotesOf(server)];
  if (packages.length === 0 && remotes.length === 0) return <Empty>{words.packages.nothing}</Empty>;
  return (
    <>
      <Section title={words.packages.packages}>
        <Quiet>{packages.length > 0 ? words.packages.packagesHelp : words.packages.noPackages}</Quiet>
        <Stack>
          {packages.map((one, index) => (
            <PackageCard key={index} package={one} />
          ))}
        </Stack>
      </Section>
      <Section title={words.packages.remotes}>
        <Quiet>{remotes.length > 0 ? words.packages.remotesHelp : words.packages.noRemotes}</Quiet>
        <Stack>
          {remotes.map((remote, index) => (
            <RemoteCard key={index} remote={remote} />
          ))}
        </Stack>
      </Section>
    </>
  );
}

function PackageCard({ package: one }: { package: ServerPackage }) {
  const page = packagePage(one);
  const { transport } = one;
  return (
    <Card>
      <Stack>
        <h3 className={styles.name}>
          <OtherText>{one.identifier}</OtherText>
        </h3>
        <Facts
          facts={[
            [words.packages.registry, <OtherText key="type">{one.registryType}</OtherText>],
            [words.packages.version, one.version && <OtherText>{one.version}</OtherText>],
            [words.packages.registryPage, page && <OtherLink address={page} />],
            [words.packages.runtime, one.runtimeHint && <code>{shown(one.runtimeHint)}</code>],
            [words.packages.transport, transport && <OtherText>{transport.type}</OtherText>],
            [words.packages.address, transport?.url && <OtherLink address={transport.url} />],
            [words.packages.digest, one.fileSha256 && <code>{shown(one.fileSha256)}</code>],
          ]}
        />
        <InputTable title={words.packages.runtimeArguments} inputs={one.runtimeArguments} />
        <InputTable title={words.packages.packageArguments} inputs={one.packageArguments} />
        <InputTable title={words.packages.environment} inputs={one.environment} />
        {transport && <TransportInputs transport={transport} />}
      </Stack>
    </Card>
  );
}

const RemoteCard = ({ remote }: { remote: ServerTransport }) => (
  <Card>
    <Stack>
      <h3 className={styles.name}>
        <OtherText>{remote.url}</OtherText>
      </h3>
      <Facts facts={[[words.packages.transport, <OtherText key="type">{remote.type}</OtherText>]]} />
      <TransportInputs transport={remote} />
    </Stack>
  </Card>
);

const TransportInputs = ({ transport }: { transport: ServerTransport }): ReactNode => (
  <>
    <InputTable title={words.packages.variables} inputs={transport.variables} />
    <InputTable title={words.packages.headers} inputs={transport.headers} />
  </>
);
