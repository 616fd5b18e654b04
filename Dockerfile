# The headrace command and its Python package, in an image with nothing else:
#
#   docker build -t headrace .
#   docker run --rm headrace demo
#   docker build --target feed -t headrace-feed .   # serve --flight too, with a JDK
#   docker run --rm --shm-size=1g -v "$PWD/photos:/photos" headrace inspect /photos/train

FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
    binutils ca-certificates curl python3 zstd \
    libturbojpeg0 libspng0 zlib1g libsndfile1 libmpg123-0 libsamplerate0 libwebp7 libavif-bin libzfp1 \
  && rm -rf /var/lib/apt/lists/*
# A JDK that links from its run-time image; Debian 12 has none of release 25.
COPY --from=eclipse-temurin:25-jdk /opt/java/openjdk /opt/java/openjdk
ENV JAVA_HOME=/opt/java/openjdk LC_ALL=C.UTF-8
COPY . /src
RUN /src/scripts/wheel.sh /dist

# With the modules cloud and flight, whose libraries a checkout fetches when they are first used.
FROM build AS feed
RUN cd /src && root=/src && . scripts/setup.sh && find_jdk && find_maven && \
  { ! needs_build || build; } && build_cloud && build_flight
WORKDIR /work
ENTRYPOINT ["/src/headrace"]
CMD ["serve", "--help"]

FROM python:3.13-slim
COPY --from=build /dist/*.whl /tmp/
RUN pip install --no-cache-dir /tmp/*.whl && rm /tmp/*.whl
WORKDIR /work
ENTRYPOINT ["headrace"]
CMD ["--help"]
