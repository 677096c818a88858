import { expect, test } from "vitest";

import { areFields } from "./fields";

test.each(["", "price", "meta_title=_seo_title, price", " 価格＝price、 rating ", "a=b=c"])("%j names fields", (text) => {
  expect(areFields(text)).toBe(true);
});

test.each(["=price", "price=", "price, 価格=a, 価格=b"])("%j does not", (text) => {
  expect(areFields(text)).toBe(false);
});
