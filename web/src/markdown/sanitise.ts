// The only place where HTML text becomes elements. What it lets through is listed here; everything else is dropped.
// markdown-it runs with html off, so raw HTML in an answer is text before it ever gets here: this is the second wall.
import DOMPurify from 'dompurify';

const tags = [
  'a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'li', 'ol', 'p', 'pre',
  's', 'span', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
]; // prettier-ignore
const attributes = ['href', 'class', 'start', 'data-align', 'data-language', 'title'];
const safeLink = /^(?:https?:|mailto:)/i;

export function sanitise(html: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: safeLink,
    ADD_URI_SAFE_ATTR: ['class', 'start', 'data-align', 'data-language', 'title'], // no addresses in these
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    const address = link.getAttribute('href');
    if (!address || !safeLink.test(address)) {
      link.replaceWith(...link.childNodes);
      continue;
    }
    link.rel = 'noopener noreferrer';
    link.target = '_blank';
    link.title = address;
  }
  return fragment;
}
