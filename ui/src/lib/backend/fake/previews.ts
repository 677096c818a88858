import type { ArticleRow, Preview } from "../view";

// A picture of a few bytes: hills before an evening sky.
const picture = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 300"><rect width="640" height="300" fill="#f2d7b3"/><circle cx="470" cy="110" r="46" fill="#e79a55"/><path d="M0 210 150 120 290 220 420 150 640 250V300H0Z" fill="#7d8fa8"/><path d="M0 260 210 190 400 270 640 215V300H0Z" fill="#3e5673"/></svg>',
)}`;

/** What an article would look like; nothing where it has an error. */
export function previewOf(row: ArticleRow): Preview | null {
  if (row.errors > 0) return null;
  const text = row.imagesTotal > 0 ? `<figure class="preview-featured"><img src="${picture}" alt=""></figure>` : "";
  return {
    html: `${text}<p>道具を減らして、手順を決める。続けられる形にするまでの記録です。三か月たって残ったのは、ほんの少しの習慣でした。</p>
<h2 class="wp-block-heading">はじめに決めた三つのこと</h2>
<ol><li>朝のうちに、<strong>一度だけ</strong>手を付ける</li><li>道具は出したままにしない</li><li>できなかった日も、<a title="https://blog.example.jp/notes/">記録</a>に書く</li></ol>
<blockquote class="wp-block-quote"><p>続けるこつは、うまくやることではなく、戻ってこられること。</p></blockquote>
<figure class="wp-block-table"><table><thead><tr><th>月</th><th>回数</th></tr></thead><tbody><tr><td>9月</td><td>12</td></tr><tr><td>10月</td><td>21</td></tr></tbody></table></figure>
<pre class="wp-block-code"><code>$ ichido register ~/記事/公開前</code></pre>`,
    picturesLeftOut: 0,
    cut: false,
  };
}
