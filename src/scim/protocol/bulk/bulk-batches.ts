import type { ScimClient } from '../scim-client';
import type { ScimQuery, Written } from '../scim-resource';
import type { CheckedOperation } from './bulk-operation';

/** Creations per transaction: more would save little, and hold the organisation's lock longer. */
const MAX_BATCH = 100;

/** A creation that does not depend on other operations. */
export interface IndependentPost {
  client: ScimClient;
  checked: CheckedOperation;
}

/** A resource created ahead of its turn. */
export interface CreatedAhead {
  written: Written;
  /** Its share of the time of the batch. */
  tookMs: number;
}

/**
 * Creates resources ahead of their turn: consecutive creations without dependencies share a transaction, which takes a
 * tenth of the time of a hundred. Nothing after the first failure of a batch is kept, so that nothing is done that
 * `failOnErrors` would have prevented.
 */
export class BulkBatches {
  private readonly createdAhead = new Map<number, CreatedAhead>();
  private size = MAX_BATCH;

  /**
   * @param postAt the creation at an index of the request, if it has no dependencies and has not been attempted
   * @param query selects the content of the response
   * @param report logs unexpected errors
   */
  constructor(
    private readonly postAt: (index: number) => IndependentPost | undefined,
    private readonly query: ScimQuery,
    private readonly report: (error: unknown) => void,
  ) {}

  /** @returns the resource created ahead; undefined: it has to be created individually */
  take(index: number): CreatedAhead | undefined {
    return this.createdAhead.get(index);
  }

  /**
   * Creates the batch that begins at an index of the request. Creations that fail are attempted again individually, to
   * report why.
   */
  async createFrom(index: number): Promise<void> {
    if (this.createdAhead.has(index)) return;
    const posts = this.postsFrom(index);
    const [first] = posts;
    if (!first?.checked.target.createMany || posts.length === 1) {
      this.grow();
      return;
    }
    const startedAt = performance.now();
    const written = await first.checked.target
      .createMany(
        posts.map(({ client, checked }) => ({ client, body: checked.data })),
        this.query,
      )
      .catch((error: unknown) => {
        this.report(error);
        return [];
      });
    const tookMs = (performance.now() - startedAt) / posts.length;
    for (const [offset, resource] of written.entries()) {
      this.createdAhead.set(index + offset, { written: resource, tookMs });
    }
    // Where many fail, most of a batch is wasted work.
    if (written.length < posts.length) this.size = Math.max(1, Math.floor(this.size / 4));
    else this.grow();
  }

  private postsFrom(index: number): IndependentPost[] {
    const posts: IndependentPost[] = [];
    for (let next = index; posts.length < this.size; next++) {
      const post = this.postAt(next);
      if (!post || (posts[0] && post.checked.target !== posts[0].checked.target)) break;
      posts.push(post);
    }
    return posts;
  }

  private grow(): void {
    this.size = Math.min(MAX_BATCH, this.size * 2);
  }
}
