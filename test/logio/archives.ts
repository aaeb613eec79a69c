// What the tools xz 5.4.1 and bzip2 1.0.8 made of SAMPLE, so that no test needs them.

/** The text. */
export const SAMPLE = Array.from(
  { length: 40 },
  (_, i) => `[${i}] INFO step ${i % 7} of core_${i % 3}\n`,
).join("");

/** xz -6 */
export const CRC64 = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AQtAK1dAC2MB6ISAcrMCvUkzf1xQexCpCN0h88bddUASgbWaaavYfdajmuezJuWRs4gRkgo+fDT24aDQnCUd2OQUPFLkCv060xPdfxXAUGgr7MJwLEPm/INiLIFMo0Htdt3m9TFYthMCnuTlnsvdm6PPfrXjQ8VlBX9X9tQsPQbh0lJ5cUKz+eXsrXjGaV4Dlj4c2hBYtOc7QjCUAcCsF68WF1wpjodfMmBpOkpFOR//wTcAAAAAL3G9zdW45QkAAHJAa4IAACfjXVrscRn+wIAAAAABFla",
  "base64",
);
/** xz --check=crc32 -1 */
export const CRC32 = Buffer.from(
  "/Td6WFoAAAFpIt42AgAhARAAAACocI6G4AQtALtdAC2MB6ISAcrMCvUkzf1xQexCpCN0h88bddUASgbWaaavYfdajmuezJuWRs4gRkgo+fDT24aDQnCUd2OQUPFIutnudQeulTW3OHI1P73v7KtN6VWNu1zki1esNOvfxrwCCldUxLTNqAnw1PdcEY1QAWzl+puSlzd14OwNd/tg4Aeu6cGhhwxnRx5xKS6vSsqmWwkPOP8PjqCC3k7tws4UH2ZTHzty3t+5J+w609kBvci70AF6OZoJlgsT8AAAADwwk6YAAdMBrggAAGKsOMk+MA2LAgAAAAABWVo=",
  "base64",
);
/** xz --check=none */
export const UNCHECKED = Buffer.from(
  "/Td6WFoAAAD/EtlBAgAhARYAAAB0L+Wj4AQtAK1dAC2MB6ISAcrMCvUkzf1xQexCpCN0h88bddUASgbWaaavYfdajmuezJuWRs4gRkgo+fDT24aDQnCUd2OQUPFLkCv060xPdfxXAUGgr7MJwLEPm/INiLIFMo0Htdt3m9TFYthMCnuTlnsvdm6PPfrXjQ8VlBX9X9tQsPQbh0lJ5cUKz+eXsrXjGaV4Dlj4c2hBYtOc7QjCUAcCsF68WF1wpjodfMmBpOkpFOR//wTcAAAAAAABwQGuCAAA8g8mh6gACvwCAAAAAABZWg==",
  "base64",
);
/** xz -T2 --block-size=300 */
export const BLOCKS = Buffer.from(
  "/Td6WFoAAATm1rRGA8BdrAIhARYAAAAAPcCL7OABKwBVXQAtjAeiEgHKzAr1JM39cUHsQqQjdIfPG3XVAEoG1mmmr2H3Wo5rnsyblkbOIEZIKPnw09uGg0JwlHdjkFDxS5Ar9OtMT3X8VwFBoK+zCcCyD/RY7AAAAAAAAJJKxsngPjagA8BbrAIhARYAAAAAerCV4eABKwBTXQA4CAKCE5BMgxe+ZL+8eX8h5S/sNX8neoYx9VoMouvdY0uqJ4EnXIPzwKAFyDPs7Lm/4bLk9FhIMeTwzHCkQrjQPGoiZyJz1T0xbgYs/bccwrq24AAAzfbJWbcsogYDwFqsAiEBFgAAAABE21cO4AErAFJdABAbyMICu+maFx5/AZHseynsV1JzgbVmt7rieio79fFQVlYCWUSSKfUQFl6gINQbcW1w0MwLpPGD8q2Fti6+/dJYUFdHr5X2uSpnItQnQHxYAQAAAABhMSyTbwOFcgPARqoBIQEWAAAAAEvEUM7gAKkAPl0AEBjJ51WNGxrlU6+sSCzL5VQwxgB65EosknOSz18dlf95WRCsAsID5ql0FYaEpeyMTi5zoeDNcIqsVGiduQAAAAC16qjI3kmC1wAEdawCc6wCcqwCXqoBAACzIE0QrCc+LQQAAAAABFla",
  "base64",
);
/** xz --check=sha256 */
export const SHA256 = Buffer.from(
  "/Td6WFoAAArh+wyhAgAhARYAAAB0L+Wj4AQtAK1dAC2MB6ISAcrMCvUkzf1xQexCpCN0h88bddUASgbWaaavYfdajmuezJuWRs4gRkgo+fDT24aDQnCUd2OQUPFLkCv060xPdfxXAUGgr7MJwLEPm/INiLIFMo0Htdt3m9TFYthMCnuTlnsvdm6PPfrXjQ8VlBX9X9tQsPQbh0lJ5cUKz+eXsrXjGaV4Dlj4c2hBYtOc7QjCUAcCsF68WF1wpjodfMmBpOkpFOR//wTcAAAAAJ6jL9yz7PJgXwPd+lJWewDMSaf/CQzCp/CR3jQY75QcAAHhAa4IAADECoqAtunfHAIAAAAAClla",
  "base64",
);
/** xz --x86 --lzma2=preset=6 */
export const FILTERED = Buffer.from(
  "/Td6WFoAAATm1rRGAgEEACEBFgANhjUf4AQtAK1dAC2MB6ISAcrMCvUkzf1xQexCpCN0h88bddUASgbWaaavYfdajmuezJuWRs4gRkgo+fDT24aDQnCUd2OQUPFLkCv060xPdfxXAUGgr7MJwLEPm/INiLIFMo0Htdt3m9TFYthMCnuTlnsvdm6PPfrXjQ8VlBX9X9tQsPQbh0lJ5cUKz+eXsrXjGaV4Dlj4c2hBYtOc7QjCUAcCsF68WF1wpjodfMmBpOkpFOR//wTcAAAAAL3G9zdW45QkAAHJAa4IAACfjXVrscRn+wIAAAAABFla",
  "base64",
);
/** xz --lzma2=preset=6,dict=128MiB */
export const LARGE = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhAR4AAACbB1Fm4AQtAK1dAC2MB6ISAcrMCvUkzf1xQexCpCN0h88bddUASgbWaaavYfdajmuezJuWRs4gRkgo+fDT24aDQnCUd2OQUPFLkCv060xPdfxXAUGgr7MJwLEPm/INiLIFMo0Htdt3m9TFYthMCnuTlnsvdm6PPfrXjQ8VlBX9X9tQsPQbh0lJ5cUKz+eXsrXjGaV4Dlj4c2hBYtOc7QjCUAcCsF68WF1wpjodfMmBpOkpFOR//wTcAAAAAL3G9zdW45QkAAHJAa4IAACfjXVrscRn+wIAAAAABFla",
  "base64",
);
/** bzip2 -9 */
export const BZIP2 = Buffer.from(
  "QlpoOTFBWSZTWanpqCwAARNfgAAQQAB/4AEhgAqLANwAMAD1lBKKT81NITIbUMgaqb/1VTJgJkwJgKlKn+KmggG0JkT3SAgAQAIBzJPU0kjHwBi8ZrtYz0SUQ7xEJZJKZd4iEklMz6CN0nwm+2bZExMRWszImJaM1mWlIvV3aau7uNXd3F3dqqlVVVVbiMEMAMYAY8gMarjjfc8bLFnqa2tfKamqe9po48OXDj7Xty7iPkR/CPQjyIoR5EYIoRQj0I/xdyRThQkKnpqCwA==",
  "base64",
);
/** xz -6, of 3 MiB of "a" */
export const BOMB = Buffer.from(
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj//8RAWxdADDv+7/+o7Fe5fg/sqomVfhocEFwFQ+N/R5MG4pCtxn0aRhxrmYjiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvS5fqg8+S2ZCkBMO/xCT+HF4WfgLzf+VKEYPqfx83vuaMC5WwI+F84OBwGXEJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+1IrdM0eWyBC+d1TPfgpZAk7gMsqbN+1O/DEvEgn5liQAO0AmQDsc1On/b6ufDEan7eNMW5wnqcjX+woy4XRlZiKfiqR8id19xnABphNmP3Yr9WQD8QlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7/EJP4cXhZ+AvMsOLZAAAAAP9atXuwm+ssAAGnBICAwAEoGV2CscRn+wIAAAAABFla",
  "base64",
);
