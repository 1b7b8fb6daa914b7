package io.bloomery.internal.registry;

import io.bloomery.Filter;
import io.bloomery.FilterKind;
import io.bloomery.deletable.BlockedCountingFilter;
import io.bloomery.deletable.CountingBloomFilter;
import io.bloomery.deletable.CountingBloomGFilter;
import io.bloomery.deletable.CuckooFilter;
import io.bloomery.deletable.DLeftCountingFilter;
import io.bloomery.deletable.DeletableBloomFilter;
import io.bloomery.deletable.MultilayerCountingFilter;
import io.bloomery.deletable.OneWordCountingFilter;
import io.bloomery.deletable.PrefixFilter;
import io.bloomery.deletable.QuotientFilter;
import io.bloomery.deletable.VariableIncrementCountingFilter;
import io.bloomery.foreign.registry.ForeignFormats;
import io.bloomery.frequency.AdaptiveBloomFilter;
import io.bloomery.frequency.CountMinFilter;
import io.bloomery.frequency.CounterBraids;
import io.bloomery.frequency.LayeredBloomFilter;
import io.bloomery.frequency.SpaceCodeFilter;
import io.bloomery.frequency.SpectralFilter;
import io.bloomery.frozen.CompressedBloomFilter;
import io.bloomery.frozen.ExactZoneFilter;
import io.bloomery.frozen.FilterCascade;
import io.bloomery.frozen.FuseFilter;
import io.bloomery.frozen.GolombCodedSet;
import io.bloomery.frozen.PerfectHashFilter;
import io.bloomery.frozen.RibbonFilter;
import io.bloomery.frozen.ShardedFilter;
import io.bloomery.frozen.XorFilter;
import io.bloomery.growing.DynamicBloomFilter;
import io.bloomery.growing.ElasticFilter;
import io.bloomery.growing.ScalableBloomFilter;
import io.bloomery.growing.SplitBloomFilter;
import io.bloomery.internal.frame.Registry;
import io.bloomery.lookup.AttenuatedBloomFilter;
import io.bloomery.lookup.BloomierCascade;
import io.bloomery.lookup.BloomierMap;
import io.bloomery.lookup.CombinatorialBloomFilter;
import io.bloomery.lookup.CompactApproximator;
import io.bloomery.lookup.CountingFilterBank;
import io.bloomery.lookup.FilterBank;
import io.bloomery.lookup.MutableBloomierMap;
import io.bloomery.lookup.SpatialBloomFilter;
import io.bloomery.membership.BestOfFilter;
import io.bloomery.membership.BlockedBloomFilter;
import io.bloomery.membership.BloomAlphaFilter;
import io.bloomery.membership.BloomFilter;
import io.bloomery.membership.BloomGFilter;
import io.bloomery.membership.DLeftFingerprintFilter;
import io.bloomery.membership.DirectBitSet;
import io.bloomery.membership.HashSelectionFilter;
import io.bloomery.membership.MemoryOptimizedFilter;
import io.bloomery.membership.RemovedPairFilter;
import io.bloomery.membership.SortedHashList;
import io.bloomery.membership.SplitBlockBloomFilter;
import io.bloomery.membership.StripedBloomFilter;
import io.bloomery.membership.TwoChoiceBloomFilter;
import io.bloomery.range.DyadicFilter;
import io.bloomery.range.GrafiteFilter;
import io.bloomery.secure.EncryptedFilter;
import io.bloomery.secure.ObliviousFilter;
import io.bloomery.secure.SecureIndex;
import io.bloomery.similarity.BlockDigest;
import io.bloomery.similarity.DistanceSensitiveFilter;
import io.bloomery.similarity.HierarchicalDigest;
import io.bloomery.similarity.MoleculeIndex;
import io.bloomery.similarity.NoveltyFilter;
import io.bloomery.similarity.SuperimposedCode;
import io.bloomery.sync.DecentralizedAggregate;
import io.bloomery.sync.InvertibleTable;
import io.bloomery.sync.TreeSummary;
import io.bloomery.weighted.GeneralizedBloomFilter;
import io.bloomery.weighted.PopularityBloomFilter;
import io.bloomery.weighted.RetouchedBloomFilter;
import io.bloomery.weighted.VariableSignatureFilter;
import io.bloomery.weighted.WeightedBloomFilter;
import io.bloomery.window.AgingBloomFilter;
import io.bloomery.window.DecayingBloomFilter;
import io.bloomery.window.DoubleBufferedBloomFilter;
import io.bloomery.window.ExponentialDecayFilter;
import io.bloomery.window.RecentFilter;
import io.bloomery.window.StableBloomFilter;
import io.bloomery.window.TimeDecayingFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Every kind and every format of another system; add new kinds here. */
public final class AllFilters implements Registry {

  private static final List<FilterKind<?>> KINDS =
      List.of(
          BloomFilter.KIND,
          BlockedBloomFilter.KIND,
          SplitBlockBloomFilter.KIND,
          BloomGFilter.KIND,
          BloomAlphaFilter.KIND,
          TwoChoiceBloomFilter.KIND,
          StripedBloomFilter.KIND,
          DirectBitSet.KIND,
          SortedHashList.KIND,
          HashSelectionFilter.KIND,
          BestOfFilter.KIND,
          RemovedPairFilter.KIND,
          MemoryOptimizedFilter.KIND,
          CountingBloomFilter.KIND,
          OneWordCountingFilter.KIND,
          VariableIncrementCountingFilter.KIND,
          MultilayerCountingFilter.KIND,
          DLeftCountingFilter.KIND,
          DeletableBloomFilter.KIND,
          CuckooFilter.KIND,
          QuotientFilter.KIND,
          BlockedCountingFilter.KIND,
          ScalableBloomFilter.KIND,
          DynamicBloomFilter.KIND,
          SplitBloomFilter.KIND,
          SpectralFilter.KIND,
          CountMinFilter.KIND,
          SpaceCodeFilter.KIND,
          AdaptiveBloomFilter.KIND,
          LayeredBloomFilter.KIND,
          CounterBraids.KIND,
          StableBloomFilter.KIND,
          DecayingBloomFilter.KIND,
          AgingBloomFilter.KIND,
          DoubleBufferedBloomFilter.KIND,
          TimeDecayingFilter.KIND,
          ExponentialDecayFilter.KIND,
          RecentFilter.KIND,
          FuseFilter.KIND,
          XorFilter.KIND,
          RibbonFilter.KIND,
          PerfectHashFilter.KIND,
          GolombCodedSet.KIND,
          CompressedBloomFilter.KIND,
          FilterCascade.KIND,
          ExactZoneFilter.KIND,
          BloomierMap.KIND,
          MutableBloomierMap.KIND,
          BloomierCascade.KIND,
          FilterBank.KIND,
          SpatialBloomFilter.KIND,
          CombinatorialBloomFilter.KIND,
          CompactApproximator.KIND,
          AttenuatedBloomFilter.KIND,
          ShardedFilter.KIND,
          CountingFilterBank.KIND,
          RetouchedBloomFilter.KIND,
          GeneralizedBloomFilter.KIND,
          WeightedBloomFilter.KIND,
          PopularityBloomFilter.KIND,
          VariableSignatureFilter.KIND,
          DistanceSensitiveFilter.KIND,
          BlockDigest.KIND,
          HierarchicalDigest.KIND,
          MoleculeIndex.KIND,
          NoveltyFilter.KIND,
          SuperimposedCode.KIND,
          PrefixFilter.KIND,
          DLeftFingerprintFilter.KIND,
          CountingBloomGFilter.KIND,
          SecureIndex.KIND,
          EncryptedFilter.KIND,
          ObliviousFilter.KIND,
          InvertibleTable.KIND,
          TreeSummary.KIND,
          DecentralizedAggregate.KIND,
          ElasticFilter.KIND,
          GrafiteFilter.KIND,
          DyadicFilter.KIND);

  /** For the service loader. */
  public AllFilters() {}

  @Override
  public List<FilterKind<?>> kinds() {
    return KINDS;
  }

  @Override
  public Filter openForeign(Path file, long budget) throws IOException {
    return ForeignFormats.open(file, budget);
  }
}
